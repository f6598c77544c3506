#if SyncHTTP
  import ArgumentParser
  import Foundation

  /// The command that ``HTTPFirstPullContest`` starts as a second process.
  struct PullOverHTTP: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "pull-over-http",
      abstract: "Pull all rows of a server, and print the seconds and the peak size in bytes.",
      shouldDisplay: false)

    @Argument var server: String
    @Argument var token: String
    @Argument var file: String
    @Argument var rowCount: Int

    func run() throws {
      guard let address = URL(string: server) else { throw BenchmarkFailure("no URL: \(server)") }
      let pull = try HTTPFirstPullContest.pull(
        from: address, token: token, to: URL(filePath: file), rowCount: rowCount)
      print(pull.seconds, pull.bytes)
    }
  }
#endif
