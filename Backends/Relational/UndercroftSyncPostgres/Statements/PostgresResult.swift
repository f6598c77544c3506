#if SyncPostgres
  import CPostgres
  import UndercroftFoundation

  /// The rows that a statement has returned, in binary form.
  final class PostgresResult {
    private let raw: OpaquePointer

    init(owning raw: OpaquePointer) { self.raw = raw }

    deinit { PQclear(raw) }

    var count: Int { Int(PQntuples(raw)) }

    /// The number of rows that the statement has changed.
    var changedCount: Int { Int(String(cString: PQcmdTuples(raw))) ?? 0 }

    /// The rows as values that read their columns.
    var rows: [Row] { (0..<PQntuples(raw)).map { Row(result: self, number: $0) } }

    var first: Row? { count > 0 ? Row(result: self, number: 0) : nil }

    /// One row of a result.
    struct Row {
      fileprivate let result: PostgresResult
      fileprivate let number: Int32

      func isNull(_ column: Int32) -> Bool { PQgetisnull(result.raw, number, column) == 1 }

      /// Returns a number of 2, 4 or 8 bytes.
      func int(_ column: Int32) throws(PostgresFailure) -> Int64 {
        let bytes = try bytes(column)
        guard [2, 4, 8].contains(bytes.count), let first = bytes.first else {
          throw .malformed("a number has \(bytes.count) bytes")
        }
        // The first byte contains the sign.
        return bytes.dropFirst().reduce(Int64(Int8(bitPattern: first))) { $0 << 8 | Int64($1) }
      }

      func text(_ column: Int32) throws(PostgresFailure) -> String {
        String(decoding: try bytes(column), as: UTF8.self)
      }

      func data(_ column: Int32) throws(PostgresFailure) -> Data {
        Data(try bytes(column))
      }

      func optionalInt(_ column: Int32) throws(PostgresFailure) -> Int64? {
        isNull(column) ? nil : try int(column)
      }

      func optionalText(_ column: Int32) throws(PostgresFailure) -> String? {
        isNull(column) ? nil : try text(column)
      }

      func optionalData(_ column: Int32) throws(PostgresFailure) -> Data? {
        isNull(column) ? nil : try data(column)
      }

      /// Returns the bytes of a value, which are valid as long as the result exists.
      private func bytes(_ column: Int32) throws(PostgresFailure) -> UnsafeRawBufferPointer {
        guard column < PQnfields(result.raw), !isNull(column),
          let value = PQgetvalue(result.raw, number, column)
        else { throw .malformed("column \(column + 1) has no value") }
        let length = Int(PQgetlength(result.raw, number, column))
        return UnsafeRawBufferPointer(start: value, count: length)
      }
    }
  }
#endif
