#if SyncServer
  import UndercroftCore
  import UndercroftFoundation

  extension Settings {
    /// The connection string of the PostgreSQL database with the data of the server, or `nil` if
    /// the data is in a folder.
    ///
    /// - Throws: ``StorageError/Code/misuse`` if a folder is stated too.
    func postgres() throws -> String? {
      guard let connection = try string(.postgres), !connection.isEmpty else { return nil }
      guard try string(.data) ?? "" == "" else {
        throw StorageError(
          .misuse, "cannot find the data of the server: a folder and a database are stated",
          suggestion: """
            state either --data or --postgres: a PostgreSQL database contains the tokens too
            """)
      }
      return connection
    }

    /// The folder with the data of the server.
    ///
    /// - Throws: ``StorageError/Code/misuse`` if it is not stated.
    func folder() throws -> URL {
      guard let path = try string(.data), !path.isEmpty else {
        throw StorageError(
          .misuse, "cannot find the data of the server: no folder is stated",
          suggestion:
            "state a folder with --data, such as --data ./sync-data, or a database with --postgres")
      }
      return URL(filePath: path)
    }
  }
#endif
