import Foundation
import TestSupport
import UndercroftCore
import UndercroftSync

/// A kind of store on which tests run.
enum TestStore: CaseIterable {
  case memory
  case oneFile
  case severalFiles

  /// Calls `body` with a new store, which is removed afterwards.
  func withStore<Result>(_ body: (any SyncServerStore) throws -> Result) throws -> Result {
    try withTemporaryDirectory { folder in
      switch self {
      case .memory: try body(InMemorySyncStore())
      case .oneFile: try body(SQLiteSyncStore(at: folder))
      case .severalFiles:
        try body(SQLiteSyncStore(at: folder, shards: 3, durability: .processDeath))
      }
    }
  }
}
