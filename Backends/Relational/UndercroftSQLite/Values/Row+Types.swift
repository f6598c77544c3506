import UndercroftCore
public import UndercroftFoundation

// These subscripts do the same as the generic subscript, for the types of almost all columns. The
// compiler selects them, so no type is inspected at run time.

extension Row {
  /// The text of the column at `position`.
  public subscript(position: Int) -> String {
    get throws(StorageError) { try column(position).text() }
  }

  /// The text of the column at `position`, or `nil` for NULL.
  public subscript(position: Int) -> String? {
    get throws(StorageError) {
      let column = try column(position)
      return column.isNull ? nil : try column.text()
    }
  }

  /// The integer of the column at `position`.
  public subscript(position: Int) -> Int64 {
    get throws(StorageError) { try column(position).integer() }
  }

  /// The integer of the column at `position`, or `nil` for NULL.
  public subscript(position: Int) -> Int64? {
    get throws(StorageError) {
      let column = try column(position)
      return column.isNull ? nil : try column.integer()
    }
  }

  /// The number of the column at `position`.
  public subscript(position: Int) -> Double {
    get throws(StorageError) { try column(position).real() }
  }

  /// The number of the column at `position`, or `nil` for NULL.
  public subscript(position: Int) -> Double? {
    get throws(StorageError) {
      let column = try column(position)
      return column.isNull ? nil : try column.real()
    }
  }

  /// The bytes of the column at `position`.
  public subscript(position: Int) -> Data {
    get throws(StorageError) { try column(position).data() }
  }

  /// The bytes of the column at `position`, or `nil` for NULL.
  public subscript(position: Int) -> Data? {
    get throws(StorageError) {
      let column = try column(position)
      return column.isNull ? nil : try column.data()
    }
  }

  /// The integer of the column at `position`.
  public subscript(position: Int) -> Int {
    get throws(StorageError) { try Int.read(from: try column(position)) }
  }

  /// The boolean of the column at `position`, stored as 1 or 0.
  public subscript(position: Int) -> Bool {
    get throws(StorageError) { try Bool.read(from: try column(position)) }
  }
}
