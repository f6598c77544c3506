import ArgumentParser
import Foundation
import ShelfCatalogue

struct SyncCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync",
    abstract: "Synchronises the notes and saved searches of two homes on this computer.",
    discussion:
      "The server is in the folder sync-server of the home that is synchronised first. Both homes "
      + "store the path of this folder."
  )

  @OptionGroup var home: ShelfHome
  @Option(help: "The other home.", completion: .directory) var with: String?
  @Option(help: "The folder of the server.", completion: .directory) var server: String?
  @Flag(
    help: """
      End the synchronisation of this home; its notes and searches remain. If the home is \
      synchronised again, notes that both homes have exist twice.
      """) var stop = false

  func validate() throws {
    guard stop == (with == nil) else {
      throw ValidationError(
        stop
          ? "--stop cannot be combined with --with. Omit one of them."
          : """
          Neither --with nor --stop was passed. Pass --with OTHER-HOME to synchronise, or --stop \
          to end the synchronisation.
          """
      )
    }
    if stop, server != nil {
      throw ValidationError("--stop cannot be combined with --server. Omit one of them.")
    }
  }

  func run() async throws {
    try await Outcome.run {
      try home.requireCatalogue()
      let work = Task { try await perform() }
      let interruption = Interruption { work.cancel() }
      defer { interruption.end() }
      try await work.value
    }
  }

  private func perform() async throws {
    guard let with else {
      try await home.catalogue().stopSynchronising()
      return try Outcome.print("the synchronisation has ended")
    }
    var other = home
    other.home = with
    try other.requireCatalogue()
    let paths = (try home.path(), try other.path())
    try Self.requireDifferentHomes(paths.0, paths.1)
    let exchanges = try await home.catalogue().synchronise(
      with: try other.catalogue(), server: server.map { URL(filePath: $0) },
      standard: URL(filePath: paths.0).appending(path: "sync-server"))
    for (path, exchange) in zip([paths.0, paths.1], exchanges) {
      let text = "\(path): sent \(exchange.sent), received \(exchange.received)"
      try Outcome.print(text.printable)
      if exchange.conflicts > 0 {
        try Outcome.print(
          "\(path): open conflicts: \(exchange.conflicts); run shelf conflicts --home \(path)"
            .printable)
      }
    }
  }

  /// Throws if two paths lead to the same folder, such as through a symbolic link.
  private static func requireDifferentHomes(_ path: String, _ other: String) throws {
    var (own, others) = (stat(), stat())
    guard stat(path, &own) == 0, stat(other, &others) == 0, own.st_ino == others.st_ino,
      own.st_dev == others.st_dev
    else { return }
    throw NotFound(
      """
      cannot synchronise the home \(path.debugDescription) with itself: \(other.debugDescription) \
      is the same home; name another home with --with
      """)
  }
}
