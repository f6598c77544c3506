import CSQLite
import UndercroftCore

/// An authorizer that permits only statements that read. (`sqlite3_set_authorizer`)
///
/// The authorizer does not refuse `INSERT`, `UPDATE` and `DELETE`, because an R-tree prepares such
/// statements when a query opens the table. The connection refuses each statement that writes by
/// other means: `sqlite3_stmt_readonly` and `PRAGMA query_only`.
final class QueryAuthorizer {
  /// The statements that are permitted.
  enum Scope {
    case reading
    /// Statements that read, and statements that create tables, views and indexes.
    case creatingSchema
  }

  /// A table of which SQLite reads columns or rows for a statement.
  struct TableRead: Hashable {
    /// The name of the table in lower case.
    let table: ExactString
    /// The name of the database, or `nil` if the statement does not name the database of a table of
    /// which it reads no columns.
    let schema: ExactString?
    /// The innermost view or subquery that contains the table, or `nil` if there is none.
    let context: ExactString?
  }

  private let scope: Scope
  /// The refusal of the last statement that was refused, or `nil` if none was refused.
  private(set) var refusal: QueryRefusal?

  /// The tables that SQLite reads for the statements since the last call of ``forgetReads()``.
  private(set) var reads: Set<TableRead> = []

  init(_ scope: Scope) { self.scope = scope }

  /// Removes all elements of ``reads``, before a statement is compiled.
  func forgetReads() { reads = [] }

  /// Makes SQLite ask this authorizer for each statement that a connection compiles.
  ///
  /// The connection must not outlive this object.
  func install(on connection: OpaquePointer) {
    sqlite3_set_authorizer(
      connection,
      { context, action, first, second, schema, view in
        guard let context else { return SQLITE_DENY }
        let authorizer = Unmanaged<QueryAuthorizer>.fromOpaque(context).takeUnretainedValue()
        if action == SQLITE_READ, let first {
          authorizer.reads.insert(
            TableRead(
              table: String(cString: first).folded,
              schema: schema.map { String(cString: $0).folded },
              context: view.map { String(cString: $0).folded }))
        }
        return authorizer.authorize(
          action, first.map { String(cString: $0) } ?? "", second.map { String(cString: $0) })
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  private func authorize(_ action: Int32, _ first: String, _ second: String?) -> Int32 {
    switch action {
    case SQLITE_SELECT, SQLITE_READ, SQLITE_RECURSIVE: return SQLITE_OK
    case SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE: return SQLITE_OK
    case SQLITE_FUNCTION:
      let name = second ?? ""
      guard Self.isDangerous(function: name) else { return SQLITE_OK }
      return refuse(.notPermitted("the function \(quoted(name))", "remove the function"))
    case SQLITE_PRAGMA:
      if Self.isPermitted(pragma: first, hasValue: second != nil) { return SQLITE_OK }
      let value = second == nil ? "" : " with a value"
      return refuse(
        .notPermitted(
          "PRAGMA \(escaped(first.withoutMiddle))\(value)",
          "use a PRAGMA that only reads, such as table_info"))
    case SQLITE_ATTACH: return refuse(.notPermitted("ATTACH", QueryRefusal.attaching))
    case SQLITE_DETACH: return refuse(.notPermitted("DETACH", QueryRefusal.attaching))
    case SQLITE_TRANSACTION, SQLITE_SAVEPOINT:
      return refuse(
        .notPermitted("a statement that begins or ends a transaction", "pass a SELECT statement"))
    case SQLITE_CREATE_TABLE, SQLITE_CREATE_VTABLE, SQLITE_CREATE_VIEW, SQLITE_CREATE_INDEX,
      SQLITE_DROP_INDEX, SQLITE_REINDEX:
      return scope == .creatingSchema ? SQLITE_OK : refuse(.writing)
    default: return refuse(.writing)
    }
  }

  private func refuse(_ refusal: QueryRefusal) -> Int32 {
    self.refusal = refusal
    return SQLITE_DENY
  }

  /// Returns whether a function accesses files or memory outside of the stores.
  ///
  /// SQLite itself has only two of these functions. Its command-line program and its extensions
  /// have the others, and a library can be built with them.
  private static func isDangerous(function: String) -> Bool {
    switch function.folded {
    case "load_extension", "fts3_tokenizer", "readfile", "writefile", "edit", "fsdir", "zipfile":
      true
    default: false
    }
  }

  /// Returns whether a `PRAGMA` only reads.
  ///
  /// Full-text tables use `data_version` and `page_size`.
  private static func isPermitted(pragma: String, hasValue: Bool) -> Bool {
    switch pragma.folded {
    // The value is the name of a table or index.
    case "foreign_key_check", "foreign_key_list", "index_info", "index_list", "index_xinfo",
      "integrity_check", "quick_check", "table_info", "table_list", "table_xinfo":
      true
    case "application_id", "collation_list", "compile_options", "data_version", "database_list",
      "encoding", "freelist_count", "function_list", "module_list", "page_count", "page_size",
      "pragma_list", "schema_version", "user_version":
      !hasValue
    default: false
    }
  }
}
