import UndercroftCore
import UndercroftFoundation
import UndercroftSQLite

/// A decoder that decodes values of `Decodable` types from the rows of one query, by column name.
///
/// A type requests the same names in the same order for every row. The decoder therefore caches the
/// position of each name in the order of the requests, and needs no hash table. The decoder creates
/// the container of each type only once.
final class RowDecoder: Decoder {
  /// The result of searching for a column name.
  private enum Lookup: Equatable {
    case at(Int)
    case missing
    case ambiguous
  }

  let borrowed = BorrowedRow()
  private let json = JSONDecoder()
  /// The declared table that all columns belong to, or `nil` if the columns do not belong to one
  /// declared table.
  private let table: TableDefinition?
  /// Whether the row must be decoded again on a thread with a larger stack, because its JSON is
  /// nested too deeply for the caller's stack.
  @exclusivity(unchecked) private var needsDeepStack = false
  /// Whether the row is being decoded on a thread with a larger stack, which is sufficient for any
  /// JSON.
  @exclusivity(unchecked) private var hasDeepStack = false
  private(set) var names: [String] = []
  // Exclusivity is not checked at run time, because these two properties are accessed for every
  // value, and by one thread only.
  @exclusivity(unchecked) private var lookups: ContiguousArray<(name: String, lookup: Lookup)> = []
  @exclusivity(unchecked) private var next = 0
  private var containers: [(key: ObjectIdentifier, container: AnyObject)] = []

  /// The maximum number of cached names.
  ///
  /// Further names are searched for each row.
  private static let maximumLookupCount = 256

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  init(of table: TableDefinition? = nil) { self.table = table }

  // MARK: Rows

  /// Decodes a value from a row.
  ///
  /// All rows that one decoder decodes must belong to the same query.
  func decode<Value: Decodable>(_ type: Value.Type, from row: borrowing Row) throws -> Value {
    if names.isEmpty { names = row.names }
    borrowed.borrow(row)
    defer { borrowed.endBorrow() }
    do {
      return try value(type)
    } catch let error as StorageError where error.code == .decodingFailed {
      throw unreadable(row, error)
    } catch let error as DecodingError {
      throw unreadable(row, error.withoutValue(columns: names))
    }
  }

  private func unreadable(_ row: borrowing Row, _ error: StorageError) -> StorageError {
    guard let table else { return error.unreadable(row) }
    // A statement of a declared table returns its columns in declaration order.
    return error.unreadable(row, of: table) { $0 }
  }

  /// Decodes a value from stored column values.
  func decode<Value: Decodable>(_ type: Value.Type, from columns: [OwnedColumn]) throws -> Value {
    names = columns.map(\.name)
    borrowed.borrow(columns)
    defer { borrowed.endBorrow() }
    do {
      return try value(type)
    } catch let error as DecodingError {
      throw error.withoutValue(columns: names)
    }
  }

  /// Releases the cached containers, because the decoder and its containers retain each other.
  func end() { containers.removeAll() }

  private func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
    do {
      let value = try plainValue(type)
      // The flag is checked even without an error, because the type may have caught the error.
      if !needsDeepStack { return value }
    } catch  where !needsDeepStack {
      throw error
    } catch {}
    (needsDeepStack, hasDeepStack) = (false, true)
    defer { hasDeepStack = false }
    return try Nesting.onDeepStack { try plainValue(type) }
  }

  /// Verifies that JSON of this depth can be decoded on the current stack.
  ///
  /// If the JSON is nested too deeply, the caller decodes the whole row again on a thread with a
  /// larger stack. Decoding only the column on that thread would not suffice. The `init(from:)` of
  /// the record can request a nested container for the column, and would then decode the nested
  /// values on the current stack.
  ///
  /// - Throws: ``StorageError/Code/decodingFailed`` if the row must be decoded again.
  func requireStack(depth: Int, column: @autoclosure () -> String) throws {
    if depth <= Nesting.maximumCallerStackDepth || hasDeepStack { return }
    needsDeepStack = true
    throw StorageError.table(
      """
      cannot read the column \(quoted(column())): its JSON is nested \(depth) levels deep, and the \
      stack of this thread is sufficient for only \(Nesting.maximumCallerStackDepth) levels
      """,
      suggestion: "no action is needed, because the row is decoded again on a larger stack",
      as: .decodingFailed)
  }

  private func plainValue<Value: Decodable>(_ type: Value.Type) throws -> Value {
    next = 0
    // A value that fills a single column is read without a column name.
    if names.count == 1, type is any SQLReadable.Type { return try value(type, at: 0) }
    return try Value(from: self)
  }

  // MARK: Names

  /// Returns the position of the column with the given name, or `nil` if the row has no such
  /// column.
  ///
  /// The case of ASCII letters is ignored.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if several columns have the name.
  func position(of name: String) throws(StorageError) -> Int? {
    let lookup: Lookup
    if next < lookups.count, lookups[next].name.isExactly(name) {
      lookup = lookups[next].lookup
      next += 1
    } else {
      lookup = find(name)
    }
    switch lookup {
    case .at(let position): return position
    case .missing: return nil
    case .ambiguous:
      throw StorageError.table(
        "cannot read the column \(quoted(name)): the row has several columns with this name",
        suggestion: "give each of these columns a different name with AS in the SELECT list")
    }
  }

  /// Returns the position of the column with the given name.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if no column or several columns have the name.
  func requiredPosition(of name: String) throws(StorageError) -> Int {
    if let position = try position(of: name) { return position }
    throw StorageError.table(
      "cannot read the column \(quoted(name)): the row has no column with this name",
      suggestion: names.isEmpty
        ? "run a query that returns the column"
        : """
        add the column to the query, or change the coding key to one of the columns of the row: \
        \(names.map { quoted($0) }.joined(separator: ", "))
        """)
  }

  private func find(_ name: String) -> Lookup {
    let folded = SQLName.folded(name)
    let matches = names.indices.filter { SQLName.folded(names[$0]) == folded }
    let lookup: Lookup = matches.first.map { matches.count == 1 ? .at($0) : .ambiguous } ?? .missing
    if next < lookups.count {
      lookups[next] = (name, lookup)
    } else if lookups.count < Self.maximumLookupCount {
      lookups.append((name, lookup))
    }
    next += 1
    return lookup
  }

  // MARK: Values

  /// Returns the value of a column.
  ///
  /// A type that a column can store is read directly. Any other type is decoded from a raw value or
  /// from JSON.
  func value<Value: Decodable>(_ type: Value.Type, at position: Int) throws -> Value {
    if type == Data.self, let value = try borrowed.column(position).data() as? Value {
      return value
    }
    if let readable = type as? any SQLReadable.Type,
      let value = try read(readable, at: position, as: type)
    {
      return value
    }
    return try column(position).decode(type)
  }

  /// Returns a decoder for the value of one column: a single value, or the parts of a JSON value.
  func column(_ position: Int) -> ColumnDecoder {
    ColumnDecoder(row: self, position: position, json: json)
  }

  private func read<Readable: SQLReadable, Value>(
    _ type: Readable.Type, at position: Int, as folded: Value.Type
  ) throws -> Value? {
    try Readable.read(from: try borrowed.column(position)) as? Value
  }
}

// MARK: - Containers

extension RowDecoder {
  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    let identity = ObjectIdentifier(type)
    for (key, container) in containers where key == identity {
      return unsafeDowncast(container, to: ContainerBox<Key>.self).container
    }
    let container = KeyedDecodingContainer(RowContainer<Key>(row: self))
    containers.append((identity, ContainerBox(container)))
    return container
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let columns = names.map { quoted($0) }.joined(separator: ", ")
    throw StorageError.table(
      """
      cannot decode a row as a list: the values of the row are decoded by column name, and the row \
      has \(names.isEmpty ? "no column" : "the column\(names.count == 1 ? "" : "s") \(columns)")
      """,
      suggestion: "decode a type with named properties, or read the columns by position")
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    guard names.count == 1 else {
      throw StorageError.table(
        names.isEmpty
          ? "cannot decode a row as one value: the row has no column"
          : """
          cannot decode a row as one value: the row has the \(names.count) columns \
          \(names.map { quoted($0) }.joined(separator: ", "))
          """,
        suggestion: "select one column, or decode a type with properties")
    }
    return column(0)
  }

  /// A box around a container, so that one array can store containers of different key types.
  private final class ContainerBox<Key: CodingKey> {
    let container: KeyedDecodingContainer<Key>
    init(_ container: KeyedDecodingContainer<Key>) { self.container = container }
  }
}
