#if SyncServer
  import Foundation
  import UndercroftSync
  import UndercroftSyncServer

  /// A place in which a server stores its tokens.
  enum TokenPlace: CaseIterable {
    /// A SQLite file.
    case file
    /// The store of the server.
    case store

    func open(
      _ file: URL, _ store: any SyncServerStore, now: @escaping @Sendable () -> Date = { Date() }
    ) throws -> TokenStore {
      switch self {
      case .file: try TokenStore(at: file, now: now)
      case .store: try TokenStore(in: store, now: now)
      }
    }
  }
#endif
