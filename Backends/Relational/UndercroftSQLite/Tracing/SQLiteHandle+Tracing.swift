extension SQLiteHandle {
  /// Installs the tracer and the plan check of the options,
  /// and applies the options that affect errors and the schema.
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
