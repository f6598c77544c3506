#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What became of a database that was to be migrated.
public enum MigrationOutcome: Sendable {
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
}
