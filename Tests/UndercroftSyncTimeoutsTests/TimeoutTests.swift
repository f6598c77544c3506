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
      let title = try await withTimeout(.minutes(5), on: loop) { "Dune" }

      #expect(title == "Dune")
      await #expect(throws: Refused.self) {
        try await withTimeout(.minutes(5), on: loop) { throw Refused() }
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
      let loop = loop
      let caller = Task {
        try await withTimeout(.minutes(5), on: loop) { try await Task.sleep(for: .hangLimit) }
      }
      caller.cancel()

      await #expect(throws: CancellationError.self) { try await caller.value }
    }

    #if canImport(Glibc) || canImport(Darwin)
      @Test func `a call that has ended occupies no memory until its deadline`() async throws {
        // Other tests allocate memory at the same time, but not in each of the attempts.
        var growth: [Int] = []
        for _ in 0..<10 where growth.allSatisfy({ $0 > 3 << 20 }) {
          let before = allocated_bytes()
          for _ in 0..<20_000 { try await withTimeout(.minutes(5), on: loop) {} }
          growth.append(Int(allocated_bytes()) - Int(before))
        }

        // 157 bytes for each call.
        #expect(growth.contains { $0 <= 3 << 20 }, "\(growth)")
      }
    #endif
  }
#endif
