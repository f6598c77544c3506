import UndercroftCore
import UndercroftFileSystem

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The examination of a ``StorageBackend``.
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

  func write(in folder: URL, _ phase: WriterPhase, _ announcer: Announcer) throws {
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
        announcer.announce(.begun(number))
      }
      if case .reopen = step { backend = nil }
      let store: any StorageBackend
      if let backend { store = backend } else { store = try open(folder) }
      backend = store
      try perform(step, in: store)
      switch step {
      case .apply, .stream: announcer.announce(.acknowledged(number))
      case .checkpoint: if checkpoint != nil { announcer.announce(.durable(number)) }
      case .reopen: break
      }
    }
  }

  /// Does one step with an open store.
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

  func judge(_ folder: URL, _ phase: WriterPhase) -> CrashOutcome {
    var found: [String: Data] = [:]
    do {
      let backend = try open(folder)
      found = try Self.contents(of: backend)
      try verify(backend)
    } catch {
      return .unopenable("\(error)")
    }
    let numbers = expectations.batches(leavingExactly: found, phase)
    guard !numbers.isEmpty else { return .mixture(expectations.explain(found, phase)) }
    do {
      try writeAgain(in: folder, over: &found)
      let backend = try open(folder)
      guard try Self.contents(of: backend) == found else {
        return .unusable("after another write and reopening the contents are not what was written")
      }
      try verify(backend)
    } catch {
      return .unusable("\(error)")
    }
    let rest = leftovers(in: folder)
    return rest.isEmpty
      ? .consistent(after: numbers) : .unusable("left over: \(rest.joined(separator: ", "))")
  }

  /// Writes one more batch to a store that was opened after a crash or a fault.
  func writeAgain(in folder: URL, over found: inout [String: Data]) throws {
    let backend = try open(folder)
    let batch: [Change] = [.set("again", Data("written after the crash".utf8)), .remove("reader")]
    try backend.apply(batch)
    found["again"] = Data("written after the crash".utf8)
    found["reader"] = nil
  }

  static func contents(of backend: any StorageBackend) throws -> [String: Data] {
    var found: [String: Data] = [:]
    for name in try backend.keys(withPrefix: "") {
      // A name that is listed and has no value must not look like one that is absent.
      found[name] = try backend.read(name) ?? Data("listed without a value".utf8)
    }
    return found
  }

  private func leftovers(in folder: URL) -> [String] {
    guard let model = try? DiskModel(readingFrom: folder.path(percentEncoded: false)) else {
      return []
    }
    return model.paths.map(\.path).filter { isLeftover(Folder.name(of: $0)) }
  }
}
