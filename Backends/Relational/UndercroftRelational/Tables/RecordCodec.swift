import UndercroftCore
import UndercroftSQLite

/// The functions that decode records from rows, and bind the properties of records to statements.
struct RecordCodec<Record>: Sendable {
  typealias Decode = @Sendable (borrowing Row, _ position: Int) throws -> Record
  typealias DecodeAtPositions = @Sendable (borrowing Row, _ positions: [Int]) throws -> Record

  /// The closure that decodes a record from all columns, in declaration order, starting at a
  /// position of the row.
  private(set) var decode: Decode
  /// The closure that decodes a record from an array of values for all columns, in declaration
  /// order.
  let decodeOwned: @Sendable ([OwnedColumn]) throws -> Record
  /// The closure that decodes a record from all columns, in declaration order, each at the given
  /// position of the row.
  private(set) var decodeAtPositions: DecodeAtPositions
  /// The decoding closures whose errors name only the column, and not the table.
  private let plain: (decode: Decode, decodeAtPositions: DecodeAtPositions)
  let binders: [ColumnBinder<Record>]
  let binds: [PropertyBinder]
  let names: ColumnNames
  /// The checks that run on records that are inserted or updated.
  var checks = RecordChecks<Record>()

  init<each Value: ColumnValue>(
    _ make: @escaping @Sendable (repeat each Value) -> Record,
    _ column: repeat Column<Record, each Value>
  ) {
    var binders: [ColumnBinder<Record>] = []
    var names: [ColumnNames.Named] = []
    for column in repeat each column {
      let binder = ColumnBinder(column)
      binders.append(binder)
      names.append(ColumnNames.Named(column, at: binder.offset))
    }
    self.binders = binders
    // No key path here: creating one in the scope of a parameter
    // pack crashes at run time. (Swift 6.3)
    binds = binders.map { $0.bind }
    self.names = ColumnNames(names)
    // The closures capture no column: the types of the values are enough to read them.
    let decode: Decode = { row, first in
      var position = first - 1
      return make(repeat try Self.read((each Value).self, row, &position))
    }
    decodeOwned = { columns in
      var position = -1
      return make(repeat try Self.read((each Value).self, columns, &position))
    }
    let decodeAtPositions: DecodeAtPositions = { row, positions in
      var positions = positions[...]
      return make(repeat try Self.read((each Value).self, row, &positions))
    }
    (self.decode, self.decodeAtPositions) = (decode, decodeAtPositions)
    plain = (decode, decodeAtPositions)
  }

  /// Returns a copy of the codec whose errors also name the table, the key and the statement.
  func naming(_ table: TableDefinition) -> Self {
    var codec = self
    let plain = plain
    codec.decode = { row, first in
      do {
        return try plain.decode(row, first)
      } catch let error as StorageError where error.code == .decodingFailed {
        throw error.unreadable(row, of: table) { first + $0 }
      }
    }
    codec.decodeAtPositions = { row, positions in
      do {
        return try plain.decodeAtPositions(row, positions)
      } catch let error as StorageError where error.code == .decodingFailed {
        throw error.unreadable(row, of: table) { positions[$0] }
      }
    }
    return codec
  }

  @inline(__always)
  private static func read<Value: ColumnValue>(
    _ type: Value.Type, _ row: borrowing Row, _ positions: inout ArraySlice<Int>
  ) throws -> Value {
    // A missing position throws the same error as a position beyond the last column.
    try row[positions.popFirst() ?? -1]
  }

  /// Returns whether the property of the column at this index is `nil`.
  func isNil(_ columnIndex: Int, of record: Record) -> Bool { binders[columnIndex].isNil(record) }

  @inline(__always)
  private static func read<Value: ColumnValue>(
    _ type: Value.Type, _ row: borrowing Row, _ position: inout Int
  ) throws -> Value {
    position += 1
    return try row[position]
  }

  private static func read<Value: ColumnValue>(
    _ type: Value.Type, _ columns: [OwnedColumn], _ position: inout Int
  ) throws -> Value {
    position += 1
    return try columns[position].read()
  }

  /// Binds the properties of the columns at these indices to consecutive placeholders, starting at
  /// the first placeholder.
  func bind(_ record: Record, _ columns: [Int], to statement: borrowing Statement) throws {
    try withUnsafePointer(to: record) { record in
      try PropertyBinder.bind(columns, of: UnsafeRawPointer(record), binds, to: statement)
    }
  }
}
