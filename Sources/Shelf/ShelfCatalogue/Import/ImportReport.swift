public import Undercroft
import UndercroftInspection

/// The result of an import, for each kind of data.
public struct ImportReport {
  /// The line of the report about one kind of data: what was imported, and where it is stored.
  public struct Line {
    /// The kind of data that the line describes.
    public let kind: DataKind
    /// A description of the data, such as the number of rows.
    public let what: String
    /// The short name of the backend that stores this kind of data.
    public let backend: String
    /// The size of the store in bytes, on the disk or in memory.
    public let byteCount: Int
    /// The time that the import of this kind took.
    public let duration: Duration
  }

  /// The lines, in the order of their display.
  public private(set) var lines: [Line] = []
  var packages = PackageChanges()
  /// The changes of the changelogs, or `nil` if the import left the changelogs unchanged.
  var changelogs: Changelogs.Changes?
  private var texts: [(DataKind, String)] = []
  private var durations: [DataKind: Duration] = [:]

  /// The number of packages in the input.
  public var packageCount: Int { packages.packages }

  /// The numbers of packages and changelogs that this import has added, changed or removed, in one
  /// line.
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

  /// The first changed packages, one line each, followed by
  /// a line with the number of further changed packages.
  ///
  /// After the first import, the array is empty, because every package is new.
  public var examples: [String] {
    let unlisted = packages.count - packages.examples.count
    let isShort = packages.isFirst || unlisted == 0
    return packages.examples + (isShort ? [] : ["… and \(unlisted) more"])
  }

  mutating func timing<Result>(_ kind: DataKind, _ body: () throws -> Result) rethrows -> Result {
    let start = ContinuousClock.now
    defer { durations[kind, default: .zero] += ContinuousClock.now - start }
    return try body()
  }

  mutating func add(_ kind: DataKind, _ text: String) { texts.append((kind, text)) }

  /// Appends one line to the report for each description that was added with ``add(_:_:)``.
  ///
  /// Each description belongs to one kind of data. The line also contains the backend, the current
  /// size of the store and the duration of the import for this kind.
  mutating func measure(_ storage: Storage) throws(StorageError) {
    for (kind, text) in texts {
      let size = try storage.inspect(kind)?.byteCount ?? 0
      let backend = storage.routeDescriptions.first { $0.kind == kind.name }?.backend ?? ""
      lines.append(
        Line(
          kind: kind, what: text, backend: backend, byteCount: size,
          duration: durations[kind] ?? .zero))
    }
  }
}
