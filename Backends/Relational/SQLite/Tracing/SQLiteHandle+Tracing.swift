extension SQLiteHandle {
  /// Makes the connection tell whom its options name of what it runs.
  func trace(_ options: DatabaseOptions) {
    cache.showsArguments = options.showsArguments
    if let check = options.planCheck { cache.monitors.append(PlanReader(raw, check)) }
    guard let tracer = options.tracer else { return }
    let hook = TraceHook(tracer)
    hook.install(on: raw)
    cache.traceHook = hook
  }
}
