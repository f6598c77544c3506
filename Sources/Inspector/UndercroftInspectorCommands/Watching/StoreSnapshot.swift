import Foundation
import UndercroftCore
import UndercroftInspection

/// The content of a store at one instant, as a digest of each value and row.
///
/// The memory depends on the number of values and rows.
struct StoreSnapshot {
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
  ///   - change: a closure that receives each value and row that differs from `earlier`, with its
  ///     content as text for people.
  init(
    of store: OpenedStore?, after earlier: StoreSnapshot? = nil, _ excerpt: ValueExcerpt,
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
      let rows = TableComparison(kind: "", table: table, excerpt: excerpt)
      try rows.forEachRow(of: store) { key, columns, row in
        let place = Place.row(table: ExactString(table.name), key)
        try add(place, RowDigest.of(row), earlier) { kind in
          try change(place, kind, rows.shown(NamedRow(columns, row)))
        }
        return true
      }
    }
  }

  private mutating func add(
    _ place: Place, _ digest: Int, _ earlier: StoreSnapshot?,
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

  /// Returns the places of `earlier` that this snapshot does not contain.
  func removed(since earlier: StoreSnapshot) -> [Place] {
    earlier.digests.keys.filter { digests[$0] == nil }
      .sorted { ($0.table?.text ?? "", $0.key) < ($1.table?.text ?? "", $1.key) }
  }
}
