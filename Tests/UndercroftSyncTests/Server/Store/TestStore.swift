import Foundation
import TestSupport
import UndercroftCore
import UndercroftSync

/// The kinds of server stores with which tests run.
enum TestStore: CaseIterable {
  case memory
  case oneFile
  case severalFiles

  /// Calls `body` with a new, empty store, and removes the files of the store when `body` ends.
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
