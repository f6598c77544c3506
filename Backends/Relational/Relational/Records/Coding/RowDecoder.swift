import UndercroftCore
import UndercroftSQLite

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Makes values of `Decodable` types of one row after the other, by the names of the columns; one for each query.
///
/// A type asks every row for the same names in the same order, so where each was found last is tried first and nothing is hashed; its
/// container is made once.
final class RowDecoder: Decoder {
  /// Where a name was found that was asked for.
  private enum Place: Equatable {
    case at(Int)
    case missing
    case ambiguous
  }

  let lent = LentRow()
  private let json = JSONDecoder()
  /// The table whose rows are read, if they are those of one declared table.
  private let table: TableDefinition?
  /// Whether the caller's stack is too small for the JSON of the row.
  @exclusivity(unchecked) private var needsDeepStack = false
  /// Whether the row is decoded on a stack for JSON of any depth.
  @exclusivity(unchecked) private var hasDeepStack = false
  private(set) var names: [String] = []
  // Looked at for every value, and by one thread alone.
  @exclusivity(unchecked) private var asked: ContiguousArray<(name: String, place: Place)> = []
  @exclusivity(unchecked) private var next = 0
  private var containers: [(key: ObjectIdentifier, container: AnyObject)] = []

  /// More names than that are looked for each time.
  private static let memory = 256

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  init(of table: TableDefinition? = nil) { self.table = table }

  // MARK: Rows

  /// Makes a value of a row; all rows must be of one query.
  func decode<Value: Decodable>(_ type: Value.Type, from row: borrowing Row) throws -> Value {
    if names.isEmpty { names = row.names }
    lent.lend(row)
    defer { lent.takeBack() }
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
    // A statement of a declared table returns its columns in the order of their declaration.
    return error.unreadable(row, of: table) { $0 }
  }

  /// Makes a value of columns that are kept.
  func decode<Value: Decodable>(_ type: Value.Type, from columns: [KeptColumn]) throws -> Value {
    names = columns.map(\.name)
    lent.lend(columns)
    defer { lent.takeBack() }
    do {
      return try value(type)
    } catch let error as DecodingError {
      throw error.withoutValue(columns: names)
    }
  }

  /// Lets go of what it made, and which knows it.
  func end() { containers.removeAll() }

  private func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
    do {
      let value = try plainValue(type)
      // The type may have caught the error.
      if !needsDeepStack { return value }
    } catch  where !needsDeepStack {
      throw error
    } catch {}
    (needsDeepStack, hasDeepStack) = (false, true)
    defer { hasDeepStack = false }
    return try Nesting.onDeepStack { try plainValue(type) }
  }

  /// Makes sure that JSON of so many levels can be decoded on the stack at hand.
  ///
  /// Otherwise the whole row is decoded once more, on a deep stack: a type may decode the parts of a column itself, in its own
  /// `init(from:)`.
  func requireStack(depth: Int) throws {
    if depth <= Nesting.shallow || hasDeepStack { return }
    needsDeepStack = true
    throw StorageError(
      .decodingFailed, "cannot read a row: its JSON is nested \(depth) levels deep",
      backend: "sqlite")
  }

  private func plainValue<Value: Decodable>(_ type: Value.Type) throws -> Value {
    next = 0
    // One that a column holds as a whole asks for no names.
    if names.count == 1, type is any SQLReadable.Type { return try value(type, at: 0) }
    return try Value(from: self)
  }

  // MARK: Names

  /// The position of the column that has the name, whatever the case of its ASCII letters, or `nil` when there is none.
  func position(of name: String) throws(StorageError) -> Int? {
    let place: Place
    if next < asked.count, asked[next].name.isExactly(name) {
      place = asked[next].place
      next += 1
    } else {
      place = find(name)
    }
    switch place {
    case .at(let position): return position
    case .missing: return nil
    case .ambiguous:
      throw StorageError(
        .misuse, "cannot read the column \(quoted(name)): several columns have this name",
        cure: "tell them apart with AS", backend: "sqlite")
    }
  }

  /// The position of the column that has the name.
  func requiredPosition(of name: String) throws(StorageError) -> Int {
    if let position = try position(of: name) { return position }
    throw StorageError(
      .misuse, "cannot read the column \(quoted(name)): the row has no such column",
      cure: "its columns are \(names.map { quoted($0) }.joined(separator: ", "))",
      backend: "sqlite")
  }

  private func find(_ name: String) -> Place {
    let wanted = SQLName.folded(name)
    let found = names.indices.filter { SQLName.folded(names[$0]) == wanted }
    let place: Place = found.first.map { found.count == 1 ? .at($0) : .ambiguous } ?? .missing
    if next < asked.count {
      asked[next] = (name, place)
    } else if asked.count < Self.memory {
      asked.append((name, place))
    }
    next += 1
    return place
  }

  // MARK: Values

  /// Reads a column as a type that it holds as a whole, or as one that is kept as JSON.
  func value<Value: Decodable>(_ type: Value.Type, at position: Int) throws -> Value {
    if type == Data.self, let value = try lent.column(position).data() as? Value { return value }
    if let readable = type as? any SQLReadable.Type,
      let value = try read(readable, at: position, as: type)
    {
      return value
    }
    return try column(position).decode(type)
  }

  /// One column, to be asked for one value or for its parts.
  func column(_ position: Int) -> ColumnDecoder {
    ColumnDecoder(row: self, position: position, json: json)
  }

  private func read<Readable: SQLReadable, Value>(
    _ type: Readable.Type, at position: Int, as wanted: Value.Type
  ) throws -> Value? {
    try Readable.read(from: try lent.column(position)) as? Value
  }
}

// MARK: - Containers

extension RowDecoder {
  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    let identity = ObjectIdentifier(type)
    for (key, container) in containers where key == identity {
      return unsafeDowncast(container, to: Kept<Key>.self).container
    }
    let container = KeyedDecodingContainer(RowContainer<Key>(row: self))
    containers.append((identity, Kept(container)))
    return container
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw StorageError(
      .misuse, "cannot read a row as a list: its columns have names",
      cure: "decode a type with properties, or read the columns by position", backend: "sqlite")
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    guard names.count == 1 else {
      throw StorageError(
        .misuse, "cannot read a row as one value: it has \(names.count) columns",
        cure: "select one column, or decode a type with properties", backend: "sqlite")
    }
    return column(0)
  }

  /// An object, so that a container is kept whatever its keys.
  private final class Kept<Key: CodingKey> {
    let container: KeyedDecodingContainer<Key>
    init(_ container: KeyedDecodingContainer<Key>) { self.container = container }
  }
}
