public import UndercroftCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A store whose promises the laboratory examines: how it is written, and how what a crash leaves is
/// judged.
///
/// A ``StorageBackend`` needs no more than a closure that opens it:
///
/// ```swift
/// CrashSubject("paper", .powerLoss) { try PaperBackend(in: $0.appending(path: "store")) }
/// ```
public struct CrashSubject: Sendable {
  /// The name in the report and on the command line.
  public let name: String

  /// What an acknowledged batch is promised to survive.
  public let durability: Durability

  /// What is done to the store and what is expected of it.
  package let work: any CrashWork

  /// Creates a subject from a backend.
  ///
  /// - Parameters:
  ///   - plan: the writer's steps.
  ///   - checkpoint: makes everything written so far durable, if the backend can.
  ///   - verify: throws if the open store is damaged in a way that its contents do not show.
  ///   - isLeftover: whether a file of this name must be gone once the store was opened again and
  ///     written.
  ///   - open: opens the store in the given folder, under which all its files must lie.
  public init(
    _ name: String, _ durability: Durability, plan: CrashPlan = .standard,
    checkpoint: (@Sendable (any StorageBackend) throws -> Void)? = nil,
    verify: @escaping @Sendable (any StorageBackend) throws -> Void = { _ in },
    isLeftover: @escaping @Sendable (String) -> Bool = { _ in false },
    open: @escaping @Sendable (URL) throws -> any StorageBackend
  ) {
    self.name = name
    self.durability = durability
    work = BackendWork(
      plan: plan, checkpoint: checkpoint, verify: verify, isLeftover: isLeftover, open: open)
  }

  /// Creates a subject that is no backend.
  package init(_ name: String, _ durability: Durability, work: any CrashWork) {
    self.name = name
    self.durability = durability
    self.work = work
  }

  /// Whether an acknowledged batch must be there after a crash of a sort.
  func survives(_ model: CrashModel) -> Bool { model == .kill || durability == .powerLoss }
}

/// The two halves of an examination: the writer, which runs in a process of its own, and the judge.
package protocol CrashWork: Sendable {
  /// Prepares the folder before the recorded writer starts; everything done here is durable.
  func prepare(_ folder: URL) throws

  /// Writes, announcing each batch.
  ///
  /// - Parameter phase: which writer it is; the second goes on after a crash.
  func write(in folder: URL, _ phase: WriterPhase, _ announcer: Announcer) throws

  /// Opens what a crash left, compares it, writes, and opens it again.
  func judge(_ folder: URL, _ phase: WriterPhase) -> CrashOutcome

  /// Whether a second writer can be examined after a first crash.
  var hasContinuation: Bool { get }
}

/// Which of two writers is meant.
package enum WriterPhase: Sendable, Hashable {
  case first
  /// The writer that found the contents after `base` batches of the first.
  case second(base: Int)
}

/// Prints what the writer does, so that it stands in the recording.
package struct Announcer: Sendable {
  package let announce: @Sendable (WriterProgress) -> Void
}
