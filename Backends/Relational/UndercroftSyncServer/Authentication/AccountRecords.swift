#if SyncServer
  import UndercroftCore
  import UndercroftFoundation
  import UndercroftSync

  /// The rows about the accounts of a server, in the scope of the server itself.
  ///
  /// All processes that serve a store share these rows.
  struct AccountRecords: Sendable {
    enum Table: String {
      /// The tokens by their identifiers.
      case tokens = "account_token"
      /// The owners and bytes of scopes, by the identifiers of the scopes.
      case scopes = "account_scope"
      /// The numbers of scopes of accounts, by the names of the accounts.
      case accounts = "account"
    }

    let store: any SyncServerStore

    /// Runs `body` in a transaction, which other processes wait for.
    func write<Result>(_ body: (Transaction) throws -> Result) throws -> Result {
      try store.write(in: .server) { try body(Transaction(transaction: $0)) }
    }

    /// Returns the rows that were changed after a change, in the order of their changes, and the
    /// number of the last change.
    func values<Value: Decodable>(
      _ type: Value.Type, in table: Table, changedAfter change: Int64 = 0
    ) throws -> (values: [(key: String, value: Value)], change: Int64) {
      try store.read(in: .server) { reader in
        var (last, values) = (change, [(key: String, value: Value)]())
        while true {
          let records = try reader.records(
            after: last, limit: StoreLimit(count: 1_000, bytes: 4 << 20))
          guard let end = records.last else { return (values, last) }
          for record in records where record.table.exact == table.rawValue.exact {
            values.append((record.dataIdentifier.text, try Self.decode(record)))
          }
          last = end.version
        }
      }
    }

    private static func decode<Value: Decodable>(_ record: StoredRecord) throws -> Value {
      do { return try JSONDecoder().decode(Value.self, from: record.body) } catch {
        throw StorageError(
          .corrupted,
          """
          cannot read \(quoted(record.dataIdentifier.text)) of the table \(quoted(record.table)) \
          of the server
          """,
          suggestion: "use the version of the server that wrote it, or restore the store",
          underlying: error)
      }
    }

    /// A transaction of the rows.
    struct Transaction {
      /// The replica whose last sequence number is that of the last change.
      private static let counter: ReplicaIdentifier = "changes"

      fileprivate let transaction: any SyncServerTransaction

      /// Whether there is no row in a table.
      func isEmpty(_ table: Table) throws -> Bool {
        try transaction.records(in: table.rawValue, after: nil, limit: StoreLimit(count: 1)).isEmpty
      }

      /// Returns a row, or `nil` if there is none.
      func value<Value: Decodable>(
        _ type: Value.Type, _ key: String, in table: Table
      ) throws -> Value? {
        try transaction.record(DataIdentifier(key), in: table.rawValue).map {
          try AccountRecords.decode($0)
        }
      }

      /// Stores a row, and replaces the one with the same key.
      func put(_ value: some Encodable, _ key: String, in table: Table) throws {
        var counter =
          try transaction.replica(Self.counter)
          ?? StoredReplica(replica: Self.counter, account: "server")
        counter.lastSequence += 1
        try transaction.put(counter)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        try transaction.put(
          StoredRecord(
            table: table.rawValue, dataIdentifier: DataIdentifier(key),
            version: counter.lastSequence, isDeleted: false, body: try encoder.encode(value)))
      }
    }
  }
#endif
