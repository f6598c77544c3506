extension SQLiteHandle {
  /// Installs the tracer and the plan check of the options on this connection.
  ///
  /// Also stores whether errors contain bound values (``DatabaseOptions/showsArguments``),
  /// and which component changes the schema (``DatabaseOptions/schemaOwner``).
  func trace(_ options: DatabaseOptions) {
    state.showsArguments = options.showsArguments
    state.schemaOwner = options.schemaOwner
    if let check = options.planCheck { state.monitors.append(PlanReader(raw, check)) }
    guard let tracer = options.tracer else { return }
    let hook = TraceHook(tracer)
    hook.install(on: raw)
    state.traceHook = hook
  }
}
