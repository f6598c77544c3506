/// Shows the statements of one connection to the interceptors.
final class InterceptorChain: StatementMonitor {
  private let interceptors: [TableInterceptor]
  /// Those that are looking at a statement just now.
  private var busy: Set<Int> = []

  init(_ interceptors: [TableInterceptor]) { self.interceptors = interceptors }

  func willRun(_ sql: SQL?, _ access: StatementAccess) throws {
    try show(access) { interceptor, write in try interceptor.before(write) }
  }

  func mayRefuseAfterwards(_ access: StatementAccess) -> Bool {
    access.writes.contains { write in
      interceptors.contains { $0.after != nil && $0.concerns(write) }
    }
  }

  func didRun(_ access: StatementAccess) throws {
    try show(access) { interceptor, write in try interceptor.after?(write) }
  }

  private func show(
    _ access: StatementAccess, _ body: (TableInterceptor, TableWrite) throws -> Void
  ) throws {
    for write in access.writes {
      for (place, interceptor) in interceptors.enumerated()
      where interceptor.concerns(write) && busy.insert(place).inserted {
        defer { busy.remove(place) }
        try body(interceptor, write)
      }
    }
  }
}
