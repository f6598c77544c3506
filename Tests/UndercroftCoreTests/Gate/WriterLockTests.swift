import Foundation
import Synchronization
import TestSupport
import Testing
import UndercroftCore

@Suite struct WriterLockTests {
  private static func nest(_ first: WriterLock, _ second: WriterLock, _ meet: () -> Void)
    -> StorageError?
  {
    do throws(StorageError) {
      try first.lock()
      defer { first.unlock() }
      meet()
      try second.lock()
      second.unlock()
      return nil
    } catch {
      return error
    }
  }

  /// Uses threads, because `concurrentPerform` may run both calls on one thread.
  private func onTwoThreads(_ body: @escaping @Sendable (Int) -> Void) {
    let group = DispatchGroup()
    for number in 0..<2 {
      group.enter()
      Thread.detachNewThread {
        body(number)
        group.leave()
      }
    }
    group.wait()
  }

  @Test func `calling lock() on a writer lock that the calling thread holds throws a misuse error`()
    throws
  {
    let lock = WriterLock()
    #expect(Self.nest(lock, lock) {}?.code == .misuse)
    #expect(Self.nest(lock, WriterLock()) {} == nil)
  }

  @Test
  func `a writer lock that lockRecursively() acquired twice stays locked until the second unlock`()
    throws
  {
    let lock = WriterLock(timeout: .milliseconds(1))
    try lock.lockRecursively()
    try lock.lockRecursively()

    lock.unlock()
    #expect(lock.isHeldByCurrentThread)
    lock.unlock()
    #expect(!lock.isHeldByCurrentThread)
    try lock.lock()
    #expect(throws: StorageError.self) { try lock.lock() }
    lock.unlock()
    #expect(!lock.isHeldByCurrentThread)
  }

  @Test
  func `two threads that acquire two locks in opposite order time out instead of deadlocking`() {
    let locks = [WriterLock(timeout: .milliseconds(50)), WriterLock(timeout: .milliseconds(50))]
    let inside = Inside()
    let codes = EventCollector<StorageError.Code?>()
    onTwoThreads { number in
      let error = Self.nest(locks[number], locks[1 - number]) {
        inside.count.add(1, ordering: .sequentiallyConsistent)
        // Both threads hold their first lock before either continues.
        while inside.count.load(ordering: .sequentiallyConsistent) < 2 {}
      }
      codes.append(error?.code)
    }

    #expect(codes.events.contains(.locked))
  }

  @Test
  func `a waiting thread acquires a released lock before the releasing thread can reacquire it`() {
    let lock = EventuallyFairLock()
    // A slow machine may start the second wait too late, so there are several attempts.
    let isFair = (0..<50).contains { _ in
      let order = EventCollector<Int>()
      let isComing = Inside()
      _ = lock.lock(timeout: .seconds(10))
      onTwoThreads { number in
        if number == 0 {
          while isComing.count.load(ordering: .relaxed) == 0 {}
          usleep(20_000)
          lock.unlock()
        } else {
          isComing.count.store(1, ordering: .relaxed)
        }
        _ = lock.lock(timeout: .seconds(10))
        order.append(number)
        lock.unlock()
      }
      return order.events == [1, 0]
    }

    #expect(isFair)
  }

  @Test
  func `cancelling one waiter of a held lock ends only that wait; another waiter gets the lock`() {
    let lock = EventuallyFairLock()
    let (isCancelled, hasLeft) = (Inside(), Inside())
    _ = lock.lock(timeout: .hangLimit)
    let group = DispatchGroup()
    for isPatient in [true, false] {
      group.enter()
      Thread.detachNewThread {
        let isMine = lock.lock(timeout: .hangLimit) {
          !isPatient && isCancelled.count.load(ordering: .relaxed) == 1
        }
        #expect(isMine == isPatient)
        if isMine { lock.unlock() } else { hasLeft.count.store(1, ordering: .relaxed) }
        group.leave()
      }
    }
    isCancelled.count.store(1, ordering: .relaxed)
    while hasLeft.count.load(ordering: .relaxed) == 0 { usleep(1_000) }
    #expect(!lock.tryLock())

    lock.unlock()
    #expect(group.wait(timeout: .hangLimit) == .success)
    #expect(lock.tryLock())
  }

  @Test func `a lock handed to a waiter while the waiter is cancelled passes to the next waiter`() {
    let lock = EventuallyFairLock()
    for round in 0..<300 {
      let (isCancelled, waiting) = (Inside(), Inside())
      _ = lock.lock(timeout: .hangLimit)
      let group = DispatchGroup()
      for number in 0..<3 {
        group.enter()
        Thread.detachNewThread {
          waiting.count.add(1, ordering: .relaxed)
          // The first two are cancelled; the third must acquire the lock in any case.
          let isMine = lock.lock(timeout: .hangLimit) {
            number < 2 && isCancelled.count.load(ordering: .relaxed) == 1
          }
          if isMine { lock.unlock() }
          group.leave()
        }
      }
      while waiting.count.load(ordering: .relaxed) < 3 { usleep(100) }
      usleep(UInt32(round % 10) * 700)
      isCancelled.count.store(1, ordering: .relaxed)
      usleep(UInt32(round % 7) * 900)
      lock.unlock()
      #expect(group.wait(timeout: .hangLimit) == .success)
    }
    #expect(lock.tryLock())
  }

  private final class Inside: Sendable {
    let count = Atomic<Int>(0)
  }
}
