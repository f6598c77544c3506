#if SyncPostgres
  import UndercroftCore

  /// A statement that a connection prepares when it is used first.
  struct PostgresStatement: Sendable {
    /// The name of the prepared statement, or the empty name for a statement that is not prepared.
    let name: ExactString
    let sql: String
    let types: [PostgresType]

    init(_ name: String, _ types: [PostgresType] = [], _ sql: String) {
      self.name = ExactString(name)
      self.types = types
      self.sql = sql
    }

    /// Creates a statement that is not prepared and returns no large result, such as DDL.
    init(once sql: String, _ types: [PostgresType] = []) { self.init("", types, sql) }

    var isPrepared: Bool { !name.text.isEmpty }
  }

  /// A statement with its parameters.
  struct PostgresCommand: Sendable {
    let statement: PostgresStatement
    let parameters: [PostgresValue]

    init(_ statement: PostgresStatement, _ parameters: [PostgresValue] = []) {
      self.statement = statement
      self.parameters = parameters
    }
  }
#endif
