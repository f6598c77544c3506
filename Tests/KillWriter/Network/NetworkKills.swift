#if SyncHTTP && SyncServer
  import ArgumentParser
  import Foundation
  import NetworkTestSupport

  /// The command that kills two clients and the servers over HTTP at random times, while a proxy
  /// disturbs their connections.
  ///
  /// It checks that clients and server have the same rows afterwards, and that no change is lost or
  /// applied twice.
  struct NetworkKills: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "network",
      abstract: """
        Kill two clients and undercroft-sync-server at random times behind a proxy that disturbs \
        requests, and compare their rows.
        """)

    @OptionGroup var options: SyncKillOptions
    @Option(help: "The store of the server: \(NetworkStoreName.names).")
    var store = NetworkStoreName.sqlite
    @Option(help: "The number of server processes; by default three with PostgreSQL, or else one.")
    var processes: Int?
    @Option(help: "The percentage of requests that the proxy disturbs.") var disturbed = 25.0

    func validate() throws {
      if store == .sqlite, processes ?? 1 != 1 {
        throw ValidationError("SQLite files are served by one process: omit --processes.")
      }
      guard (0...100).contains(disturbed) else {
        throw ValidationError("--disturbed is a percentage from 0 to 100.")
      }
      if processes ?? 1 < 1 { throw ValidationError("--processes needs a positive number.") }
    }

    func run() throws {
      signal(SIGPIPE, SIG_IGN)
      try options.run { place in
        try NetworkService(
          store, in: place.folder, processes: processes ?? (store == .postgres ? 3 : 1),
          RequestFaults(seed: options.seed, share: disturbed / 100, .all))
      }
    }
  }
#endif
