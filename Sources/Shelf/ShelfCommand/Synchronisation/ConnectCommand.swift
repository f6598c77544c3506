import ArgumentParser
import ShelfCatalogue

struct ConnectCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "connect",
    abstract: "Synchronises the notes and saved searches of a home with a server in a network.",
    discussion: """
      The server is undercroft-sync-server. Its token is read from --token-file, from the variable \
      SHELF_SYNC_TOKEN, or from the standard input, and stored in the vault of the home. Repeat \
      the command to replace the token.
      """)

  @OptionGroup var home: ShelfHome
  @Argument(help: "The address of the server, such as https://sync.example.org.") var url: String
  @Option(help: "The account of the token.") var account: String
  @Option(help: "The scope on the server. (default: shelf:ACCOUNT)") var scope: String?
  @Option(help: "The file with the token.", completion: .file()) var tokenFile: String?
  @Flag(help: "The server with which the home is synchronised has moved to this address.")
  var moved = false

  func run() async throws {
    try await Outcome.run {
      try NetworkConnection.requireTrait()
      let catalogue = try home.catalogue()
      _ = try NetworkConnection.url(url)
      let token = try TokenInput.read(file: tokenFile)
      let server = NetworkServer(address: url, account: account, scope: scope)
      try await Outcome.interruptibly { [home, moved] in
        try await catalogue.connect(to: server, token: token, isMoved: moved)
        try await SyncReport.synchronise(catalogue, home)
      }
    }
  }
}
