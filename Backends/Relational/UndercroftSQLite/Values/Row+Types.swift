import UndercroftCore
public import UndercroftFoundation

// These subscripts do the same as the generic subscript, for the types of almost all columns. The
// compiler selects them, so no type is inspected at run time.

extension Row {
  /// The text in the column at `position`, counted from 0.
  ///
  /// Reading NULL or a value of another type throws ``StorageError/Code/decodingFailed``.
  public subscript(position: Int) -> String {
    get throws(StorageError) { try column(position).text() }
  }

  /// The text in the column at `position`, counted from 0, or `nil` for NULL.
  public subscript(position: Int) -> String? {
    get throws(StorageError) {
      let column = try column(position)
      return column.isNull ? nil : try column.text()
    }
  }

  /// The integer in the column at `position`, counted from 0.
  ///
  /// Reading NULL or a value of another type throws ``StorageError/Code/decodingFailed``.
  public subscript(position: Int) -> Int64 {
    get throws(StorageError) { try column(position).integer() }
  }

  /// The integer in the column at `position`, counted from 0, or `nil` for NULL.
  public subscript(position: Int) -> Int64? {
    get throws(StorageError) {
      let column = try column(position)
      return column.isNull ? nil : try column.integer()
    }
  }

  /// The floating-point value in the column at `position`, counted from 0.
  ///
  /// An integer that a `Double` represents exactly is converted. Reading NULL
  /// or a value of another type throws ``StorageError/Code/decodingFailed``.
  public subscript(position: Int) -> Double {
    get throws(StorageError) { try column(position).real() }
  }

  /// The floating-point value in the column at `position`, counted from 0, or `nil` for NULL.
  ///
  /// An integer that a `Double` represents exactly is converted.
  public subscript(position: Int) -> Double? {
    get throws(StorageError) {
      let column = try column(position)
      return column.isNull ? nil : try column.real()
    }
  }

  /// The bytes of the blob in the column at `position`, counted from 0.
  ///
  /// Reading NULL or a value of another type throws ``StorageError/Code/decodingFailed``.
  public subscript(position: Int) -> Data {
    get throws(StorageError) { try column(position).data() }
  }

  /// The bytes of the blob in the column at `position`, counted from 0, or `nil` for NULL.
  public subscript(position: Int) -> Data? {
    get throws(StorageError) {
      let column = try column(position)
      return column.isNull ? nil : try column.data()
    }
  }

  /// The integer in the column at `position`, counted from 0.
  ///
  /// Reading NULL or a value of another type throws ``StorageError/Code/decodingFailed``.
  public subscript(position: Int) -> Int {
    get throws(StorageError) { try Int.read(from: try column(position)) }
  }

  /// The Boolean value in the column at `position`, counted from 0, which is stored as 1 or 0.
  ///
  /// Reading NULL or any other value throws ``StorageError/Code/decodingFailed``.
  public subscript(position: Int) -> Bool {
    get throws(StorageError) { try Bool.read(from: try column(position)) }
  }
}
