#if SyncServer
  import ArgumentParser

  /// The arguments that name the data of a server.
  struct DataArguments: ParsableArguments {
    @Option(
      help: """
        The folder with the data of the server, which serve, restore and token create create if it \
        is missing.
        """)
    var data: String?

    @Option(
      help: "The connection string of a PostgreSQL database with the data, instead of a folder.")
    var postgres: String?

    @Option(help: "A JSON file with settings.")
    var config: String?
  }
#endif
