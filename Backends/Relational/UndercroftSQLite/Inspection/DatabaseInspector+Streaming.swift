import UndercroftCore
import UndercroftFoundation
import UndercroftInspection

/// Reading rows and entries one by one.
extension DatabaseInspector {
  func forEachRow(
    of table: String, offset: Int, columns: ([String]) throws -> Void,
    row: ([InspectedValue]) throws -> Bool
  ) throws {
    var names: [String]?
    try stream(size: { $0.reduce(0) { $0 + $1.byteCount } }) { connection, add in
      names = nil
      try TableInspection.forEachRow(
        of: table, offset: offset, in: connection, columns: { names = $0 }, row: add)
    } begin: {
      if let names { try columns(names) }
    } body: {
      try row($0)
    }
  }

  func forEachEntry(
    withPrefix prefix: String, _ body: (InspectionEntry) throws -> Bool
  ) throws {
    try stream(size: { $0.name.utf8.count }) { connection, add in
      guard try EntryTable.isPresent(in: connection) else {
        for entry in try Inspection.entries(prefix, in: connection) where try !add(entry) { return }
        return
      }
      try EntryTable.forEachEntry(prefix, in: connection, add)
    } begin: {
    } body: {
      try body($0)
    }
  }

  func forEachValue(
    withPrefix prefix: String, _ body: (_ name: String, _ bytes: Data) throws -> Bool
  ) throws {
    try stream(
      size: { (entry: (name: String, bytes: Data)) -> Int in
        entry.name.utf8.count + entry.bytes.count
      }
    ) { connection, add in
      guard try EntryTable.isPresent(in: connection) else {
        return try Self.forEachDefinition(prefix, in: connection) {
          try add((name: $0, bytes: $1))
        }
      }
      try EntryTable.forEachValue(prefix, in: connection) { try add((name: $0, bytes: $1)) }
    } begin: {
    } body: {
      try body($0.name, $0.bytes)
    }
  }

  /// Passes the name and the definition of each table to `body`, until `body` returns `false`.
  private static func forEachDefinition(
    _ prefix: String, in connection: Connection,
    _ body: (_ name: String, _ bytes: Data) throws -> Bool
  ) throws {
    for entry in try Inspection.entries(prefix, in: connection) {
      guard let bytes = try Inspection.bytes(of: entry.name, in: connection) else { continue }
      guard try body(entry.name, bytes) else { return }
    }
  }

  /// Passes the elements that `read` finds to `body`, until `body` returns `false`.
  ///
  /// If another process changes the file before the first elements were passed on, `read` is called
  /// again. If another process changes the file later, the elements that were passed on cannot be
  /// withdrawn, and an error is thrown.
  ///
  /// If the file is damaged, the elements before the damage are passed on before the error is
  /// thrown. If `body` needs no more of them, no error is thrown.
  ///
  /// - Parameters:
  ///   - size: a closure that returns the size of an element in bytes.
  ///   - read: a closure that passes elements to its second argument, until that returns `false`.
  ///   - begin: a closure that is called before the first element, even if there is none.
  ///   - body: a closure that receives an element, and returns whether it needs more.
  func stream<Element>(
    size: @escaping (Element) -> Int,
    read: @escaping (Connection, (Element) throws -> Bool) throws -> Void, begin: () throws -> Void,
    body: (Element) throws -> Bool
  ) throws {
    var failure: (any Error)?
    var buffer = StartBuffer<Element>(size: size)
    try withCurrentView { (view) throws(StorageError) in
      if buffer.hasBegun { throw Self.changed(path) }
      buffer = StartBuffer(size: size)
      failure = nil
      do {
        try read(view.connection) { try buffer.add($0, begin, body) }
      } catch {
        failure = error
      }
    }
    guard let failure else { return try buffer.end(begin, body) }
    guard let error = (failure as? StorageError)?.asBusy else { throw failure }
    if error.code != .busy, try !buffer.endEarly(begin, body) { return }
    throw error
  }
}

extension DatabaseInspector: SearchableStore {
  private typealias Searched = (name: String, bytes: Data?)

  func forEachName(
    withPrefix prefix: String, matching filter: ValueFilter,
    _ body: (_ name: String, _ bytes: Data?) throws -> Bool
  ) throws {
    try stream(
      size: { (entry: Searched) -> Int in entry.name.utf8.count + (entry.bytes?.count ?? 0) }
    ) { connection, add in
      guard try EntryTable.isPresent(in: connection) else {
        return try Self.forEachDefinition(prefix, in: connection) {
          try add((name: $0, bytes: $1))
        }
      }
      try EntryTable.forEachName(prefix, matching: filter, in: connection) {
        try add((name: $0, bytes: $1))
      }
    } begin: {
    } body: {
      try body($0.name, $0.bytes)
    }
  }
}

extension DatabaseInspector: OrderedStore {
  func forEachSortedEntry(
    withPrefix prefix: String, _ body: (InspectionEntry) throws -> Bool
  ) throws {
    // The entries are read in the order of their names.
    try forEachEntry(withPrefix: prefix, body)
  }
}

extension InspectedValue {
  /// The approximate size of the value in memory in bytes.
  var byteCount: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .bytes(let bytes): bytes.count
    case .null, .integer, .real: 8
    }
  }
}
