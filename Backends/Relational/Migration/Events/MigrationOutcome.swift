import UndercroftCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What became of a database that was to be migrated.
public enum MigrationOutcome: Sendable, CustomStringConvertible {
  /// It was of the version that was asked for; nothing was done.
  case current(version: String)
  /// It was new, and got the schema of the version.
  case created(version: String)
  /// It was brought from one version to another, by this process or, in part, by others that did the same.
  ///
  /// - Parameter snapshot: the copy of what it was before; `nil` where none was made.
  case migrated(from: String, to: String, snapshot: MigrationSnapshot?)
  /// A step failed; the database is as it was before the first step, and is to be read alone.
  case readOnly(MigrationFailure)
  /// A step failed; the database is new, and what it was is kept in another file.
  case startedAfresh(MigrationFailure, kept: URL)

  public var description: String {
    switch self {
    case .current(let version): return "at \(version): nothing was done"
    case .created(let version): return "new: made as of \(version)"
    case .migrated(let from, let to, let snapshot):
      let kept = snapshot.map { ", snapshot \(quoted($0.location.path))" } ?? ""
      return "migrated from \(from) to \(to)\(kept)"
    case .readOnly(let failure): return "to be read alone: \(failure)"
    case .startedAfresh(let failure, let kept):
      return "begun anew, the old file kept as \(quoted(kept.path)): \(failure)"
    }
  }
}
