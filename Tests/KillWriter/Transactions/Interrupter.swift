import Foundation
import Synchronization
import UndercroftSQLite
import UndercroftTesting

/// A source of random decisions that closures on any thread can use.
final class Lot: Sendable {
  private let generator: Mutex<SeededGenerator>

  init(seed: UInt64) { generator = Mutex(SeededGenerator(seed: seed)) }

  func draw(oneIn count: Int) -> Bool {
    generator.withLock { Int.random(in: 0..<count, using: &$0) == 0 }
  }
}

/// A container that passes the error of a task to the thread that waits for the task.
final class Failure: Sendable {
  private let state = Mutex<(any Error)?>(nil)

  var error: (any Error)? { state.withLock { $0 } }

  func put(_ error: any Error) { state.withLock { $0 = error } }
}

/// A thread that interrupts databases continuously while it is switched on.
final class Interrupter: Sendable {
  private let databases: [Database]
  private let state = Atomic<Bool>(false)
  private let everOn = Atomic<Bool>(false)
  private let isOver = Atomic<Bool>(false)
  private let done = DispatchSemaphore(value: 0)

  init(_ databases: [Database]) { self.databases = databases }

  var isOn: Bool {
    get { state.load(ordering: .sequentiallyConsistent) }
    set {
      if newValue { everOn.store(true, ordering: .sequentiallyConsistent) }
      state.store(newValue, ordering: .sequentiallyConsistent)
    }
  }

  /// Whether an interruption may still be pending.
  var hasBeenOn: Bool { everOn.load(ordering: .sequentiallyConsistent) }

  func start() {
    Thread.detachNewThread { [self] in
      while !isOver.load(ordering: .sequentiallyConsistent) {
        guard isOn else {
          usleep(500)
          continue
        }
        for database in databases { database.interrupt() }
        usleep(UInt32.random(in: 0..<100))
      }
      done.signal()
    }
  }

  func end() {
    isOver.store(true, ordering: .sequentiallyConsistent)
    done.wait()
  }
}
