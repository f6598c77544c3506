#if SyncPostgres
  import CPostgres

  /// A connection with which a test runs SQL.
  package final class SQLSession {
    package struct Failure: Error, CustomStringConvertible {
      package let description: String
    }

    private let connection: OpaquePointer

    package init(_ address: String) throws {
      guard let connection = PQconnectdb(address) else {
        throw Failure(description: "there is no memory left")
      }
      self.connection = connection
      _ = PQsetNoticeReceiver(connection, { _, _ in }, nil)
      guard PQstatus(connection) == CONNECTION_OK else {
        throw Failure(description: String(cString: PQerrorMessage(connection)))
      }
    }

    deinit { PQfinish(connection) }

    /// Runs statements, and returns the rows of the last one as text.
    @discardableResult
    package func run(_ sql: String) throws -> [[String?]] {
      let result = PQexec(connection, sql)
      defer { PQclear(result) }
      guard [PGRES_TUPLES_OK, PGRES_COMMAND_OK].contains(PQresultStatus(result)) else {
        throw Failure(description: String(cString: PQresultErrorMessage(result)))
      }
      return (0..<PQntuples(result)).map { row in
        (0..<PQnfields(result)).map { column in
          PQgetisnull(result, row, column) == 1
            ? nil : String(cString: PQgetvalue(result, row, column))
        }
      }
    }
  }
#endif
