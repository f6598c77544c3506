import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation

/// The crash test of a ``StorageBackend``.
struct BackendWork: CrashWork {
  let plan: CrashPlan
  let checkpoint: (@Sendable (any StorageBackend) throws -> Void)?
  let verify: @Sendable (any StorageBackend) throws -> Void
  let isLeftover: @Sendable (String) -> Bool
  let open: @Sendable (URL) throws -> any StorageBackend
  let expectations: BatchExpectations

  init(
    plan: CrashPlan, checkpoint: (@Sendable (any StorageBackend) throws -> Void)?,
    verify: @escaping @Sendable (any StorageBackend) throws -> Void,
    isLeftover: @escaping @Sendable (String) -> Bool,
    open: @escaping @Sendable (URL) throws -> any StorageBackend
  ) {
    self.plan = plan
    self.checkpoint = checkpoint
    self.verify = verify
    self.isLeftover = isLeftover
    self.open = open
    expectations = BatchExpectations(plan)
  }

  var hasContinuation: Bool { true }

  func prepare(_ folder: URL) throws {}

  func write(in folder: URL, _ phase: WriterPhase, _ reporter: ProgressReporter) throws {
    let (steps, base) =
      switch phase {
      case .first: (plan.steps, 0)
      case .second(let base): (CrashPlan.continuation.steps, base)
      }
    var backend: (any StorageBackend)? = try open(folder)
    var number = base
    for step in steps {
      if step.changes != nil {
        number += 1
        reporter.report(.begun(number))
      }
      if case .reopen = step { backend = nil }
      let store: any StorageBackend
      if let backend { store = backend } else { store = try open(folder) }
      backend = store
      try perform(step, in: store)
      switch step {
      case .apply, .stream: reporter.report(.acknowledged(number))
      case .checkpoint: if checkpoint != nil { reporter.report(.durable(number)) }
      case .reopen: break
      }
    }
  }

  /// Performs one step of a plan on an open store.
  func perform(_ step: CrashStep, in backend: any StorageBackend) throws {
    switch step {
    case .apply(let changes): try backend.apply(changes)
    case .stream(let name, let chunks):
      guard let streaming = backend as? any StreamingBackend else {
        return try backend.apply(step.changes ?? [])
      }
      let writer = try streaming.writer(for: name)
      for chunk in chunks { try writer.write(chunk) }
      try writer.finish()
    case .checkpoint: try checkpoint?(backend)
    case .reopen: break
    }
  }

  func verify(_ folder: URL, _ phase: WriterPhase) -> CrashOutcome {
    examine(folder) { found in
      let numbers = expectations.batches(leavingExactly: found, phase)
      return numbers.isEmpty
        ? .mixture(expectations.explain(found, phase)) : .consistent(after: numbers)
    }
  }

  /// Opens the store that a crash or a failing call left, verifies
  /// its contents, writes a batch, and opens the store again.
  ///
  /// - Parameter judgeContents: a closure that returns `.consistent`,
  ///   or the outcome that describes the defect of the contents.
  func examine(
    _ folder: URL, _ judgeContents: ([String: Data]) -> CrashOutcome
  ) -> CrashOutcome {
    let (outcome, contents) = writeAgain(in: folder, judgeContents)
    guard case .consistent = outcome else { return outcome }
    do {
      guard try self.contents(of: open(folder)) == contents else {
        return .unusable("after another write and reopening the contents are not what was written")
      }
      let leftovers = try ScratchFolder.paths(in: folder.path(percentEncoded: false))
        .filter { isLeftover(Folder.name(of: $0)) }
      return leftovers.isEmpty
        ? outcome : .unusable("left over: \(leftovers.sorted().joined(separator: ", "))")
    } catch {
      return .unusable("\(error)")
    }
  }

  /// Opens the store, verifies its contents, writes one more batch and closes the store.
  ///
  /// - Returns: the outcome, and the contents that the store must have when it is opened again.
  private func writeAgain(
    in folder: URL, _ judgeContents: ([String: Data]) -> CrashOutcome
  ) -> (outcome: CrashOutcome, contents: [String: Data]) {
    var contents: [String: Data] = [:]
    let backend: any StorageBackend
    do {
      backend = try open(folder)
      contents = try self.contents(of: backend)
    } catch {
      return (.unopenable("\(error)"), [:])
    }
    let outcome = judgeContents(contents)
    guard case .consistent = outcome else { return (outcome, contents) }
    let text = Data("written after the crash".utf8)
    do {
      try backend.apply([.set("again", text), .remove("reader")])
    } catch {
      return (.unusable("\(error)"), contents)
    }
    contents["again"] = text
    contents["reader"] = nil
    return (outcome, contents)
  }

  /// Returns all values of the store, and verifies the store.
  private func contents(of backend: any StorageBackend) throws -> [String: Data] {
    let found = try Self.values(of: backend)
    try verify(backend)
    return found
  }

  static func values(of backend: any StorageBackend) throws -> [String: Data] {
    var found: [String: Data] = [:]
    for name in try backend.keys(withPrefix: "") {
      // A name that is listed but has no value must not compare equal to an absent name.
      found[name] = try backend.read(name) ?? Data("listed without a value".utf8)
    }
    return found
  }
}
