#if SyncPostgres
  import Dispatch
  import Foundation
  import NetworkTestSupport
  import Synchronization
  import TestSupport
  import Testing
  import UndercroftCore
  import UndercroftSync
  import UndercroftSyncPostgres

  /// Tests in which the server of the database ends while transactions run.
  @Suite(.heavy, .timeLimit(.hangLimit)) struct PostgresRestartTests {
    @Test(arguments: [SIGQUIT, SIGKILL, SIGINT])
    func `no acknowledged transaction is lost when PostgreSQL ends and starts again`(
      signal: Int32
    ) throws {
      let cluster = try PostgresCluster()
      let store = try PostgresSyncStore(try cluster.makeDatabase())
      let log = Mutex((acknowledged: Set<Int64>(), errors: [any Error](), mustStop: false))
      let writers = DispatchGroup()
      for writer in 0..<4 {
        DispatchQueue.global().async(group: writers) {
          while !log.withLock({ $0.mustStop }) {
            do {
              let head = try store.addBook(in: ScopeIdentifier("user:\(writer % 2)"))
              log.withLock { _ = $0.acknowledged.insert(head << 1 | Int64(writer % 2)) }
            } catch {
              log.withLock { $0.errors.append(error) }
              Thread.sleep(forTimeInterval: 0.005)
            }
          }
        }
      }

      for _ in 0..<2 {
        let count = log.withLock { $0.acknowledged.count }
        #expect(waitUntil { log.withLock { $0.acknowledged.count } > count + 50 })
        cluster.stop(signal)
        try cluster.start()
      }
      let count = log.withLock { $0.acknowledged.count }
      #expect(waitUntil { log.withLock { $0.acknowledged.count } > count + 50 })
      log.withLock { $0.mustStop = true }
      #expect(writers.wait(timeout: .hangLimit) == .success)

      let books = try (0..<2).flatMap { scope in
        try store.books(in: ScopeIdentifier("user:\(scope)")).map { $0.version << 1 | Int64(scope) }
      }
      let lost = log.withLock { $0.acknowledged }.subtracting(books)
      #expect(lost == [])
      let errors = log.withLock { $0.errors }
      #expect(!errors.isEmpty)
      for error in errors {
        let error = try #require(error as? StorageError)
        #expect(error.code == .unavailable)
        #expect(error.suggestion != nil)
      }
    }

    @Test func `the next transaction succeeds after PostgreSQL was restarted`() throws {
      let cluster = try PostgresCluster()
      let store = try PostgresSyncStore(try cluster.makeDatabase())
      try store.addBook()

      cluster.stop(SIGQUIT)
      let error = storageError { try store.addBook() }
      try cluster.start()

      #expect(error?.code == .unavailable)
      #expect(error?.suggestion?.contains("PostgreSQL") == true)
      #expect(try store.addBook() == 2)
    }
  }
#endif
