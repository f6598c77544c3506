#if SyncPostgres
  import UndercroftSync

  /// The key of a scope in all tables: the first 16 bytes of SHA-256 of its name, as a UUID.
  ///
  /// The key needs no query and no sequence, and has a fixed length. A name can have 1,024 bytes,
  /// and the names of a scope, a table and a row together would exceed the 2,704 bytes of an index
  /// entry in PostgreSQL.
  struct ScopeKey: Sendable {
    let value: PostgresValue

    init(_ scope: ScopeIdentifier) {
      value = .uuid(Array(SHA256Digest(of: [UInt8](scope.text.utf8)).bytes.prefix(16)))
    }
  }
#endif
