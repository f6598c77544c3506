import UndercroftCore
import UndercroftInspection

/// The comparison of the stores at two paths.
struct HomeComparison {
  let excerpt: ValueExcerpt
  private(set) var problems: [Problem] = []
  /// The names of the confidential stores, which were not compared.
  private(set) var skipped: [String] = []

  private let progress: Progress

  /// Creates a comparison.
  ///
  /// - Parameters:
  ///   - redactor: the redactor of secrets, or `nil` to show them.
  ///   - progress: the progress, which counts the values and rows of both stores.
  init(_ redactor: Redactor?, _ progress: Progress) {
    excerpt = ValueExcerpt(redactor: redactor)
    self.progress = progress
  }

  /// Passes each difference to `body`, until `body` returns `false`.
  ///
  /// Stores with the same kind are compared, even if their backends differ. Two single stores are
  /// compared even if their kinds differ.
  mutating func run(
    _ old: [DiscoveredStore], _ new: [DiscoveredStore], _ body: (Difference) throws -> Bool
  ) throws {
    for (name, left, right) in Self.pairs(old, new) {
      progress.begin(name)
      guard let before = try open(left), let after = try open(right) else { continue }
      if before.store?.isConfidential == true || after.store?.isConfidential == true {
        skipped.append(name)
        continue
      }
      do {
        if try !compare(before.store, after.store, name, body) { return }
      } catch let error as StorageError {
        // An error of writing the output is no `StorageError`, and ends the comparison.
        guard let store = right ?? left else { throw error }
        problems.append(Problem(store: store, error: error))
      }
    }
  }

  private static func pairs(
    _ old: [DiscoveredStore], _ new: [DiscoveredStore]
  ) -> [(String, DiscoveredStore?, DiscoveredStore?)] {
    if old.count == 1, new.count == 1, let left = old.first, let right = new.first {
      return [(left.kind ?? right.kind ?? left.scheme, left, right)]
    }
    func named(_ stores: [DiscoveredStore]) -> [ExactString: DiscoveredStore] {
      Dictionary(stores.map { (ExactString($0.name), $0) }) { first, _ in first }
    }
    let (left, right) = (named(old), named(new))
    return Set(left.keys).union(right.keys).sorted().map { ($0.text, left[$0], right[$0]) }
  }

  private struct Opened { let store: OpenedStore? }

  /// Opens a store, or returns `nil` after an error, which is added to ``problems``.
  private mutating func open(_ store: DiscoveredStore?) throws -> Opened? {
    guard let store, store.exists || store.kind == nil else { return Opened(store: nil) }
    do throws(StorageError) {
      return Opened(store: try store.open())
    } catch {
      problems.append(Problem(store: store, error: error))
      return nil
    }
  }

  /// Compares two stores, and returns whether `body` needs more differences.
  private func compare(
    _ old: OpenedStore?, _ new: OpenedStore?, _ kind: String,
    _ body: (Difference) throws -> Bool
  ) throws -> Bool {
    var needsMore = true
    let noted: (Difference) throws -> Bool = { difference in
      needsMore = try body(difference)
      return needsMore
    }
    guard old?.report.isTabular ?? new?.report.isTabular ?? false else {
      try EntryComparison(kind: kind, excerpt: excerpt, progress: progress).run(old, new, noted)
      return needsMore
    }
    let (left, right) = (try Self.tables(of: old), try Self.tables(of: new))
    let counts = Array(left.values) + Array(right.values)
    progress.expect(counts.reduce(0) { $0 + ($1.rowCount ?? 0) })
    for name in Set(left.keys).union(right.keys).sorted() where needsMore {
      guard let table = left[name] ?? right[name] else { continue }
      if left[name] == nil || right[name] == nil {
        needsMore = try body(
          Difference(
            change: left[name] == nil ? .added : .removed, kind: kind, table: name.text, key: "",
            old: left[name]?.definition, new: right[name]?.definition))
      }
      guard needsMore else { break }
      try TableComparison(kind: kind, table: table, excerpt: excerpt, progress: progress)
        .run(left[name].flatMap { _ in old }, right[name].flatMap { _ in new }, noted)
    }
    return needsMore
  }

  private static func tables(of store: OpenedStore?) throws -> [ExactString: InspectedTable] {
    let tables = try store?.tables(countingRows: false)?.filter { !$0.isView } ?? []
    return Dictionary(tables.map { (ExactString($0.name), $0) }) { first, _ in first }
  }
}
