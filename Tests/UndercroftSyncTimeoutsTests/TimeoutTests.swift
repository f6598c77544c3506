#if SyncHTTP || SyncServer
  import AllocatedMemory
  import NIOCore
  import NIOPosix
  import TestSupport
  import Testing
  import UndercroftSyncTimeouts

  @Suite(.timeLimit(.hangLimit)) struct TimeoutTests {
    private struct Refused: Error {}

    private let loop = MultiThreadedEventLoopGroup.singleton.any()

    @Test func `the result of a body that ends in time is returned`() async throws {
      let title = try await withTimeout(.hours(1), on: loop) { "Dune" }

      #expect(title == "Dune")
      await #expect(throws: Refused.self) {
        try await withTimeout(.hours(1), on: loop) { throw Refused() }
      }
    }

    @Test func `a body that does not end in time is cancelled`() async {
      await #expect(throws: TimeoutError.self) {
        try await withTimeout(.milliseconds(5), on: loop) { try await Task.sleep(for: .hangLimit) }
      }
    }

    @Test func `a body that returns a part of its result because of the time has no result`() async
    {
      await #expect(throws: TimeoutError.self) {
        try await withTimeout(.milliseconds(5), on: loop) {
          try? await Task.sleep(for: .hangLimit)
        }
      }
    }

    @Test func `the cancellation of the caller cancels the body`() async {
      let (started, loop) = (Promise<Bool>(), loop)
      let caller = Task {
        try await withTimeout(.hours(1), on: loop) {
          started.fulfill(true)
          try await Task.sleep(for: .hangLimit)
        }
      }
      let hasStarted = await onNewThread { started.wait() }
      caller.cancel()

      #expect(hasStarted == true)
      await #expect(throws: CancellationError.self) { try await caller.value }
    }

    @Test func `a body that returns a part of its result after a cancellation has no result`() async
    {
      let (started, loop) = (Promise<Bool>(), loop)
      let caller = Task {
        try await withTimeout(.hours(1), on: loop) {
          started.fulfill(true)
          try? await Task.sleep(for: .hangLimit)
        }
      }
      _ = await onNewThread { started.wait() }
      caller.cancel()

      await #expect(throws: CancellationError.self) { try await caller.value }
    }

    /// Runs in a separate process, because other tests allocate memory at the same time.
    @Test(.enabled(if: allocated_bytes() > 0, "the C library does not count bytes"))
    func `a call that has ended occupies no memory until its deadline`() async {
      await #expect(processExitsWith: .success) {
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let before = allocated_bytes()
        for _ in 0..<20_000 { try await withTimeout(.hours(1), on: loop) {} }
        let growth = allocated_bytes() - before

        // 157 bytes for each call.
        #expect(growth < 3 << 20)
      }
    }
  }
#endif
