#if SyncServer
  import TestSupport
  import Testing
  import UndercroftCore
  import UndercroftSyncServer

  @Suite(.timeLimit(.hangLimit)) struct CoalescedWorkTests {
    private let work = CoalescedWork(label: "test")

    @Test func `one execution serves all callers that arrive during another one`() async throws {
      let (hasBegun, mayEnd) = (Promise<Bool>(), Promise<Bool>())
      let executions = CallCounter()
      let first = Task { [work] in
        try await work.run {
          hasBegun.fulfill(true)
          _ = mayEnd.wait()
        }
      }
      _ = try await eventually { hasBegun.isFulfilled }

      let others = (0..<10).map { _ in
        Task { [work] in try await work.run { executions.increment() } }
      }
      let areWaiting = try await eventually { work.count == 10 }
      mayEnd.fulfill(true)
      try await first.value
      for other in others { try await other.value }

      #expect(areWaiting)
      #expect(executions.count == 1)
      #expect(work.count == 0)
    }

    @Test func `each caller receives the error of its execution`() async throws {
      let error = await #expect(throws: StorageError.self) {
        try await work.run { throw StorageError(.locked, "cannot read: the file is locked") }
      }
      try await work.run {}

      #expect(error?.code == .locked)
      #expect(work.count == 0)
    }
  }
#endif
