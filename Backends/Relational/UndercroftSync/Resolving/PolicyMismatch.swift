public import UndercroftCore

/// A policy that an application states for its ``SyncEngine`` and that differs from the policy of
/// the server.
///
/// The server decides. A mismatch is expected while an older version of the application is used
/// with a newer server. Otherwise it is a mistake, such as a server that was created without the
/// tables.
public struct PolicyMismatch: Sendable, Hashable {
  /// The rule that differs.
  public enum Rule: Sendable, Hashable {
    /// The policy of the columns without a policy of their own.
    case columnDefault
    /// The policy of a column.
    case column(ExactString)
    /// The rule for deletions.
    case deletion
  }

  /// The name of the table.
  public let table: String
  /// The rule that differs.
  public let rule: Rule
  /// The name of the policy that the application states, such as "lww_field".
  public let engine: String
  /// The name of the policy by which the server decides.
  public let server: String
}

extension PolicyMismatch: CustomStringConvertible {
  /// One line that names the table, the rule and both policies.
  public var description: String {
    let subject =
      switch rule {
      case .columnDefault: "the columns of \(quoted(table))"
      case .column(let column): "the column \(quoted(column.text)) of \(quoted(table))"
      case .deletion: "deletions in \(quoted(table))"
      }
    return "\(subject): the application states \(engine), and the server applies \(server)"
  }
}

extension SyncedTable {
  /// Returns the differences between the policies of this table and those of a server.
  ///
  /// Counters and local columns are not compared, because the engine alone decides about them:
  /// it sends increments of counters, and nothing of local columns.
  func mismatches(with server: PolicyNames) -> [PolicyMismatch] {
    let own = PolicyNames(completePolicy)
    var found: [PolicyMismatch] = []
    func compare(_ rule: PolicyMismatch.Rule, _ engine: String, _ server: String) {
      guard engine != server else { return }
      found.append(PolicyMismatch(table: name, rule: rule, engine: engine, server: server))
    }
    compare(.columnDefault, own.columnDefault, server.columnDefault)
    let skipped = Set(local.map { $0.exact.lowercased })
    for column in Set(own.columns.keys).union(server.columns.keys).subtracting(skipped).sorted() {
      let engine = own.columns[column] ?? own.columnDefault
      if engine == ConflictPolicy.counter.name { continue }
      compare(.column(column), engine, server.columns[column] ?? server.columnDefault)
    }
    compare(.deletion, own.deletion, server.deletion)
    return found
  }
}
