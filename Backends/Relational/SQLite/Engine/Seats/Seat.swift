import Synchronization
import UndercroftCore

/// The place of one connection: opened at first use, and used by one thread at a time.
final class Seat: Sendable {
  private let open: @Sendable () throws(StorageError) -> SQLiteHandle
  private let handle = Mutex<SQLiteHandle?>(nil)
  private let holder = Atomic<UInt>(0)
  /// Whether its holder writes; asked by its holder alone.
  private let isWriting = Atomic<Bool>(false)

  init(_ open: @escaping @Sendable () throws(StorageError) -> SQLiteHandle) { self.open = open }

  // MARK: Who has it

  /// Whether the calling thread has the seat.
  var isHeldHere: Bool {
    // Only this thread can have stored its own number, so a relaxed read suffices.
    holder.load(ordering: .relaxed) == CurrentThread.number
  }

  var isWritingHere: Bool { isHeldHere && isWriting.load(ordering: .relaxed) }

  /// Takes the seat unless somebody has it.
  func tryTake() -> Bool {
    holder.compareExchange(
      expected: 0, desired: CurrentThread.number, ordering: .acquiring
    ).exchanged
  }

  /// Takes a seat that only one thread at a time tries to take.
  func take(writing: Bool) {
    holder.store(CurrentThread.number, ordering: .relaxed)
    isWriting.store(writing, ordering: .relaxed)
  }

  func leave() { holder.store(0, ordering: .releasing) }

  // MARK: The connection

  /// Lends the connection to the holder, opening it at first use.
  func connection(mayWrite: Bool) throws(StorageError) -> Connection {
    // The mutex is never waited for: only the holder comes here or closes. The connection stays until the seat is left.
    try handle.withLock { (handle) throws(StorageError) in
      if handle == nil { handle = try open() }
      switch handle {
      case .some(let handle): return handle.connection(mayWrite: mayWrite)
      case .none: throw .sqliteMisuse("cannot begin: there is no connection")
      }
    }
  }

  /// Puts an open connection on the seat.
  func seat(_ handle: consuming SQLiteHandle) {
    var handle: SQLiteHandle? = handle
    self.handle.withLock { place in place = handle.take() }
  }

  func close() {
    handle.withLock { $0 = nil }
  }
}
