import Undercroft
public import UndercroftCore

/// What an import did, kind by kind.
public struct ImportReport {
  /// One line of the report.
  public struct Line {
    /// The kind of data.
    public let kind: DataKind
    /// What there is of it.
    public let what: String
    /// The backend's short name.
    public let backend: String
    /// The bytes on disk, or in memory.
    public let byteCount: Int
    /// How long it took.
    public let duration: Duration
  }

  /// In the order in which kinds are shown.
  public private(set) var lines: [Line] = []
  var packages = PackageChanges()
  /// `nil` when they were left alone.
  var changelogs: Changelogs.Changes?
  private var texts: [(DataKind, String)] = []
  private var durations: [DataKind: Duration] = [:]

  /// How many packages the input has.
  public var packageCount: Int { packages.packages }

  /// What differs from the import before, in one line.
  public var changes: String {
    var parts: [String] = []
    for (count, what) in [
      (packages.added, "added"), (packages.changed, "changed"), (packages.removed, "removed"),
    ] where count > 0 {
      parts.append("\(counted(count, "package")) \(what)")
    }
    for (count, what) in [
      (changelogs?.written ?? 0, "copied"), (changelogs?.removed ?? 0, "removed"),
    ] where count > 0 {
      parts.append("\(counted(count, "changelog")) \(what)")
    }
    return parts.isEmpty ? "nothing changed" : parts.joined(separator: ", ")
  }

  /// The first of the changed packages, one line each; none after a first import.
  public var examples: [String] {
    let untold = packages.count - packages.examples.count
    let isShort = packages.isFirst || untold == 0
    return packages.examples + (isShort ? [] : ["… and \(untold) more"])
  }

  mutating func timing<Result>(_ kind: DataKind, _ body: () throws -> Result) rethrows -> Result {
    let start = ContinuousClock.now
    defer { durations[kind, default: .zero] += ContinuousClock.now - start }
    return try body()
  }

  mutating func add(_ kind: DataKind, _ text: String) { texts.append((kind, text)) }

  /// Asks each backend how large it is, as the inspector would.
  mutating func measure(_ storage: Storage) throws(StorageError) {
    for (kind, text) in texts {
      let backend = try storage.gate(for: kind).backend
      let size = try (backend as? any Inspectable)?.inspect().byteCount ?? 0
      lines.append(
        Line(
          kind: kind, what: text, backend: backend.name, byteCount: size,
          duration: durations[kind] ?? .zero))
    }
  }
}
