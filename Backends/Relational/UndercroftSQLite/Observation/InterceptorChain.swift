/// An interceptor that a ``RowGate`` owns until the interceptor's registration is cancelled.
final class RegisteredInterceptor: Sendable {
  let interceptor: TableInterceptor

  init(_ interceptor: TableInterceptor) { self.interceptor = interceptor }
}

/// The monitor that calls the interceptors for the statements of one connection.
final class InterceptorChain: StatementMonitor {
  private struct Link {
    weak var registered: RegisteredInterceptor?
  }

  /// Weak references to the interceptors, which become `nil` when a registration ends.
  ///
  /// The connection stores this chain until the next write, and the database owns the connection.
  /// The closures of a cancelled interceptor may in turn own the database. With strong references,
  /// this would be a reference cycle, and the database would never be closed.
  private let links: [Link]
  /// The indexes of the interceptors that are running, which are not called for their own
  /// statements.
  private var running: Set<Int> = []

  init(_ interceptors: [RegisteredInterceptor]) {
    links = interceptors.map { Link(registered: $0) }
  }

  func willRun(_ sql: SQL?, _ access: StatementAccess) throws {
    try forEachWrite(access) { interceptor, write in try interceptor.before(write) }
  }

  func mayRefuseAfterwards(_ access: StatementAccess) -> Bool {
    access.writes.contains { write in
      links.contains { link in
        guard let interceptor = link.registered?.interceptor else { return false }
        return interceptor.after != nil && interceptor.concerns(write)
      }
    }
  }

  func didRun(_ access: StatementAccess) throws {
    try forEachWrite(access) { interceptor, write in try interceptor.after?(write) }
  }

  private func forEachWrite(
    _ access: StatementAccess, _ body: (TableInterceptor, TableWrite) throws -> Void
  ) throws {
    for write in access.writes {
      for (index, link) in links.enumerated() {
        guard let interceptor = link.registered?.interceptor, interceptor.concerns(write),
          running.insert(index).inserted
        else { continue }
        defer { running.remove(index) }
        try body(interceptor, write)
      }
    }
  }
}
