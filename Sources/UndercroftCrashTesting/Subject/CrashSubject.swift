public import UndercroftCore
public import UndercroftFoundation

/// A store whose guarantees a ``CrashLaboratory`` tests.
///
/// A subject has functions that write the store and test the files that a crash leaves.
///
/// For a ``StorageBackend``, a closure that opens it is sufficient:
///
/// ```swift
/// CrashSubject("paper", .powerLoss) { try PaperBackend(in: $0.appending(path: "store")) }
/// ```
public struct CrashSubject: Sendable {
  /// The name of the subject in the report and on the command line.
  public let name: String

  /// The events that an acknowledged batch must survive.
  public let durability: Durability

  /// The functions that write and test the store.
  package let work: any CrashWork

  /// Creates a subject from a backend.
  ///
  /// - Parameters:
  ///   - name: the name in the report and on the command line.
  ///   - durability: the events that an acknowledged batch must survive.
  ///   - plan: the steps of the writer.
  ///   - checkpoint: a closure that makes all earlier writes
  ///     durable, or `nil` if the backend cannot do this.
  ///   - verify: a closure that throws if the open store has damage that its contents do not show.
  ///   - isLeftover: a closure that returns whether a file with this name
  ///     must no longer exist after the store was opened again and written.
  ///   - open: a closure that opens the store in the given folder, which must contain all its
  ///     files.
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

  /// Creates a subject that runs its own work instead of the operations of a backend.
  package init(_ name: String, _ durability: Durability, work: any CrashWork) {
    self.name = name
    self.durability = durability
    self.work = work
  }

  /// Returns whether an acknowledged batch must survive a crash of the given kind.
  func survives(_ model: CrashModel) -> Bool { model == .kill || durability == .powerLoss }
}

/// The two parts of a crash test: the writer, which runs in a
/// separate process, and the test of the files that a crash leaves.
package protocol CrashWork: Sendable {
  /// Prepares the folder before the recorded writer starts.
  ///
  /// All data that this method writes counts as durable.
  func prepare(_ folder: URL) throws

  /// Writes the batches of the crash test, and reports when each batch begins and when it is
  /// acknowledged.
  ///
  /// - Parameter phase: the first writer, or the second writer, which continues after a crash.
  func write(in folder: URL, _ phase: WriterPhase, _ reporter: ProgressReporter) throws

  /// Opens the store that a crash left, compares its contents with the
  /// expected contents, writes a batch, and opens the store again.
  func verify(_ folder: URL, _ phase: WriterPhase) -> CrashOutcome

  /// Whether a second writer can be tested after a first crash.
  var hasContinuation: Bool { get }
}

/// The first writer, or the second writer, which continues after a crash.
package enum WriterPhase: Sendable, Hashable {
  case first
  /// The second writer, which found the contents after the first `base` batches of the first
  /// writer.
  case second(base: Int)
}

/// A printer of the progress of a writer, so that the recording of the system calls contains the
/// progress.
package struct ProgressReporter: Sendable {
  /// A closure that prints one line of progress.
  package let report: @Sendable (WriterProgress) -> Void
}
