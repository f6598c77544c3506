#if SyncPostgres
  import UndercroftCore
  import UndercroftSync

  /// The values that a transaction has read together before they are needed one by one.
  ///
  /// Every value that is here is equal to the value in the database: the transaction drops a value
  /// when it stores or removes the value.
  struct PrefetchedValues {
    /// The place of an operation in the chain of a replica.
    private struct ChainPlace: Hashable {
      let replica: ReplicaIdentifier
      let sequence: Int64
    }

    /// The rows by key; `nil` for a row that does not exist.
    private var records: [RowAddress: StoredRecord?] = [:]
    /// The operations by key; `nil` for an operation that does not exist.
    private var operations: [OperationIdentifier: StoredOperation?] = [:]
    private var chains: [ChainPlace: StoredOperation] = [:]

    // MARK: Reading

    /// Returns the row, `.some(nil)` if it does not exist, or `nil` if it was not read.
    func record(at address: RowAddress) -> StoredRecord?? { records[address] }

    /// Returns the operation, `.some(nil)` if it does not exist, or `nil` if it was not read.
    func operation(_ operation: OperationIdentifier) -> StoredOperation?? { operations[operation] }

    /// Returns the operation, or `nil` if it was not read.
    func operation(of replica: ReplicaIdentifier, at sequence: Int64) -> StoredOperation? {
      chains[ChainPlace(replica: replica, sequence: sequence)]
    }

    // MARK: Adding

    /// Adds the rows with the given keys, of which those that were not found do not exist.
    ///
    /// - Parameters:
    ///   - table: the table of the rows.
    ///   - identifiers: the keys that were searched for.
    ///   - result: the rows, whose bodies are NULL if they were not read.
    mutating func addRecords(
      in table: ExactString, _ identifiers: [DataIdentifier], _ result: PostgresResult
    ) throws(PostgresFailure) {
      for identifier in identifiers {
        records[RowAddress(table: table.text, dataIdentifier: identifier)] = .some(nil)
      }
      for row in result.rows {
        if row.isNull(4) {
          let identifier = DataIdentifier(try row.text(1))
          records.removeValue(
            forKey: RowAddress(table: table.text, dataIdentifier: identifier))
        } else {
          let record = try StoredRecord(row)
          records[record.address] = record
        }
      }
    }

    /// Adds the operations with the given keys, of which those that were not found do not exist.
    mutating func addOperations(
      _ identifiers: [OperationIdentifier], _ result: PostgresResult
    ) throws(PostgresFailure) {
      for identifier in identifiers { operations[identifier] = .some(nil) }
      for row in result.rows {
        let operation = try StoredOperation(row)
        operations[operation.operationIdentifier] = operation
        if let replica = operation.replica, let sequence = operation.sequence {
          chains[ChainPlace(replica: replica, sequence: sequence)] = operation
        }
      }
    }

    // MARK: Dropping

    mutating func drop(_ record: StoredRecord) { records.removeValue(forKey: record.address) }

    mutating func dropRecords() { records = [:] }

    /// Drops an operation, and all places in chains, because the operation can leave one place and
    /// get another.
    mutating func drop(_ operation: StoredOperation) {
      operations.removeValue(forKey: operation.operationIdentifier)
      chains = [:]
    }

    mutating func dropOperations() {
      operations = [:]
      chains = [:]
    }
  }
#endif
