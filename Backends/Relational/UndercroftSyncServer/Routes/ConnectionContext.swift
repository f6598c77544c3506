#if SyncServer
  import Hummingbird
  import Logging
  import NIOCore

  /// The context of a request: its connection.
  struct ConnectionContext: InitializableFromSource {
    let channel: any Channel
    let logger: Logger

    init(source: ApplicationRequestContextSource) {
      channel = source.channel
      logger = source.logger
    }
  }
#endif
