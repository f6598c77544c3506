import Foundation
import Synchronization
import UndercroftInspection

/// The progress of a command, which the last line of the terminal shows on standard error.
///
/// The line appears after half a second. A thread writes the line, so that a command only counts,
/// and so that the line also shows the time while a single operation takes long:
///
/// ```swift
/// let progress = Progress("searching", stores: stores.count)
/// defer { progress.end() }
/// for store in stores {
///   progress.begin(store.name)
///   try opened.forEachEntry { entry in
///     progress.advance()
/// ```
final class Progress: Sendable {
  private static let delay = 0.5
  private static let interval = 0.1

  /// The state that the thread shares with the command.
  private final class Shared: Sendable {
    let count = Atomic<Int>(0)
    let hasEnded = Atomic<Bool>(false)
    let text: Mutex<ProgressText>

    init(_ text: consuming ProgressText) { self.text = Mutex(text) }
  }

  private let shared: Shared

  /// Starts to show progress, unless standard error is not a terminal or the user wants no
  /// progress.
  ///
  /// - Parameters:
  ///   - activity: the activity as a participle, such as "searching".
  ///   - stores: the number of calls of ``begin(_:total:)``, or 0 if it is unknown.
  init(_ activity: String, stores: Int = 0) {
    shared = Shared(ProgressText(activity: activity, stepCount: stores))
    guard Terminal.canRewriteErrors, !Terminal.settings.isQuiet else { return }
    Thread.detachNewThread { [shared] in
      Thread.sleep(forTimeInterval: Self.delay)
      while !shared.hasEnded.load(ordering: .acquiring) {
        Console.showStatus {
          guard !shared.hasEnded.load(ordering: .acquiring) else { return nil }
          let count = shared.count.load(ordering: .relaxed)
          return shared.text.withLock { $0.line(count: count, now: .now) }
        }
        Thread.sleep(forTimeInterval: Self.interval)
      }
    }
  }

  deinit { end() }

  /// Begins the next store or other part, whose values are counted from 0.
  ///
  /// - Parameters:
  ///   - subject: the name of the part.
  ///   - total: the number of values or bytes of the part, or `nil` if it is unknown.
  func begin(_ subject: String, total: Int? = nil) {
    shared.count.store(0, ordering: .relaxed)
    shared.text.withLock { $0.begin(subject, total: total, now: .now) }
  }

  /// Sets the number of values or bytes of the present part.
  func expect(_ total: Int?) { shared.text.withLock { $0.total = total } }

  /// Counts values or bytes. (one atomic addition)
  func advance(by count: Int = 1) { shared.count.wrappingAdd(count, ordering: .relaxed) }

  /// Erases the line.
  func end() {
    guard !shared.hasEnded.exchange(true, ordering: .acquiringAndReleasing) else { return }
    Console.eraseStatus()
  }
}
