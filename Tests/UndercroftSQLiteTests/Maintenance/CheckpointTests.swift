import BehaviourTrait
import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftSQLite

@Suite struct CheckpointTests {
  private func withLibrary(
    _ lockTimeout: Duration = .hangLimit, _ body: (Database, URL) throws -> Void
  ) throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let database = try Database(at: url, DatabaseOptions(lockTimeout: lockTimeout))
      try Library.fill(database)
      try body(database, URL(filePath: url.path + "-wal"))
    }
  }

  @Test(.behaviour("A-FM-45"), arguments: Database.CheckpointMode.allCases)
  func `every checkpoint mode copies the log into the database and reports the number of frames`(
    mode: Database.CheckpointMode
  ) throws {
    try withLibrary { database, log in
      let result = try database.checkpoint(mode)
      #expect(result.isComplete)
      #expect(result.logFrames == result.checkpointedFrames)
      #expect((result.logFrames == 0) == (mode == .truncate))
      #expect(try Data(contentsOf: log).isEmpty == (mode == .truncate))
      #expect(try database.checkpoint(mode).isComplete)
      #expect(try Library.count(database) == 3)
    }
  }

  @Test(.behaviour("A-FM-45"))
  func `a checkpoint is incomplete, without an error, while a reader uses an older snapshot`()
    throws
  {
    try withLibrary(.milliseconds(50)) { database, _ in
      let (inside, bell) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let reader = inBackground {
        try database.read { db in
          _ = try db.fetchOne("SELECT 1 FROM book") { _ in 1 }
          inside.signal()
          bell.wait()
        }
      }
      inside.wait()
      try database.write { db in try Library.add(10, in: db) }
      for mode in Database.CheckpointMode.allCases {
        let result = try database.checkpoint(mode)
        #expect(!result.isComplete)
        #expect(result.logFrames > result.checkpointedFrames)
      }
      bell.signal()
      _ = try reader.wait()?.get()

      #expect(try database.checkpoint(.truncate).isComplete)
    }
  }

  @Test(.behaviour("A-FM-45"))
  func `checkpoint(.truncate) completes even if background checkpoints run`() throws {
    try withLibrary { database, log in
      for _ in 0..<20 {
        try database.write { db in try Library.add(12_000, in: db) }
        #expect(try database.checkpoint(.truncate).isComplete)
        #expect(try Data(contentsOf: log).isEmpty)
      }
    }
  }

  @Test(.behaviour("A-FM-45"))
  func `a checkpoint throws inside a read or write, for an unknown schema and a closed database`()
    throws
  {
    try withLibrary { database, _ in
      let calls: [() throws -> Void] = [
        { _ = try database.write { _ in try database.checkpoint() } },
        { _ = try database.read { _ in try database.checkpoint() } },
        { try database.checkpoint(of: "absent") }, { try database.checkpoint(of: "main\0") },
        { try database.checkpoint(of: "") },
        {
          try database.close()
          try database.checkpoint()
        },
      ]
      for call in calls {
        let error = #expect(throws: StorageError.self) { try call() }
        #expect(error?.code == .misuse)
      }
    }
  }

  @Test(.behaviour("A-FM-45"), arguments: Database.CheckpointMode.allCases)
  func `a checkpoint of an in-memory database is complete and reports no frames`(
    mode: Database.CheckpointMode
  )
    throws
  {
    let result = try Database.inMemory().checkpoint(mode)
    #expect(result.isComplete)
    #expect(result.logFrames == 0)
  }
}
