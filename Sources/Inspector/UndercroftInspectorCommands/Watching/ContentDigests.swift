import Foundation
import UndercroftCore
import UndercroftInspection

/// The digests of all values and rows of a store at one instant.
///
/// The memory depends on the number of values and rows.
struct ContentDigests {
  /// The place of a value or of a row.
  enum Place: Hashable {
    case value(name: ExactString)
    case row(table: ExactString, RowKey)

    /// The table, or `nil` for a value.
    var table: ExactString? {
      switch self {
      case .value: nil
      case .row(let table, _): table
      }
    }

    /// The name of the value, or the text of the row's key.
    var key: ExactString {
      switch self {
      case .value(let name): name
      case .row(_, let key): key.text
      }
    }
  }

  private var digests: [Place: Int] = [:]

  /// Reads a store.
  ///
  /// - Parameters:
  ///   - store: the store, or `nil` for one that does not exist yet.
  ///   - earlier: the digests with which the content is compared, or `nil` to report no change.
  ///   - excerpt: the description of values.
  ///   - change: a closure that receives each value and row that differs from `earlier`, with its
  ///     content as text for people.
  init(
    of store: OpenedStore?, after earlier: ContentDigests? = nil, _ excerpt: ValueExcerpt,
    _ change: (Place, Difference.Change, String) throws -> Void = { _, _, _ in }
  ) throws {
    guard let store else { return }
    guard store.report.isTabular else {
      try store.forEachValue { name, bytes in
        let place = Place.value(name: ExactString(name))
        try add(place, RowDigest.of(bytes), earlier) { kind in
          try change(place, kind, excerpt.text(of: bytes, named: name))
        }
        return true
      }
      return
    }
    for table in try store.tables(countingRows: false) ?? [] where !table.isView {
      try store.forEachKeyedRow(of: table, excerpt.redactor) { key, columns, row in
        let place = Place.row(table: ExactString(table.name), key)
        try add(place, RowDigest.of(row), earlier) { kind in
          try change(place, kind, excerpt.text(of: NamedRow(columns, row)))
        }
        return true
      }
    }
  }

  private mutating func add(
    _ place: Place, _ digest: Int, _ earlier: ContentDigests?,
    _ change: (Difference.Change) throws -> Void
  ) rethrows {
    digests[place] = digest
    guard let earlier else { return }
    switch earlier.digests[place] {
    case nil: try change(.added)
    case digest: return
    default: try change(.changed)
    }
  }

  /// Returns the places of `earlier` that no longer have a value or row.
  func removed(since earlier: ContentDigests) -> [Place] {
    earlier.digests.keys.filter { digests[$0] == nil }
      .sorted { ($0.table?.text ?? "", $0.key) < ($1.table?.text ?? "", $1.key) }
  }
}
