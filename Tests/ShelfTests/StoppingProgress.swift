import ShelfCatalogue
import Synchronization

/// A progress that cancels an import at the given step, as Ctrl-C would.
final class StoppingProgress: Sendable {
  private let stop: Int
  private let steps = Mutex(0)
  private let kept = Mutex<ImportProgress?>(nil)

  init(at step: Int) { stop = step }

  var progress: ImportProgress {
    let progress = ImportProgress { [self] _, _ in
      let isTime = steps.withLock { steps in
        defer { steps += 1 }
        return steps == stop
      }
      if isTime { kept.withLock { $0?.cancel() } }
    }
    kept.withLock { $0 = progress }
    return progress
  }
}
