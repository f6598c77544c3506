#if SyncServer
  import Configuration
  import UndercroftCore
  import UndercroftFoundation

  /// The settings of the tool, from its options, the environment and a file, in this order.
  struct Settings: Sendable {
    private let reader: ConfigReader

    /// Reads the settings.
    ///
    /// - Parameters:
    ///   - arguments: the options of the command by the names of their settings, such as "tls.key".
    ///   - data: the arguments that name the data.
    init(_ arguments: [(String, String?)] = [], _ data: DataArguments) async throws {
      var values: [AbsoluteConfigKey: ConfigValue] = [:]
      let all = arguments + [("data", data.data), ("postgres", data.postgres)]
      for (name, value) in all {
        if let value {
          values[AbsoluteConfigKey(name.split(separator: ".").map(String.init))] = ConfigValue(
            .string(value), isSecret: false)
        }
      }
      let environment = EnvironmentVariablesProvider()
      var providers: [any ConfigProvider] = [
        InMemoryProvider(name: "options", values: values),
        environment.prefixKeys(with: "undercroft.sync"),
      ]
      let file =
        data.config
        ?? ConfigReader(provider: environment.prefixKeys(with: "undercroft.sync"))
        .string(forKey: "config")
      if let file {
        do {
          let path = InMemoryProvider(values: [
            AbsoluteConfigKey(["filePath"]): ConfigValue(.string(file), isSecret: false)
          ])
          providers.append(
            try await FileProvider<JSONSnapshot>(config: ConfigReader(provider: path)))
        } catch {
          throw StorageError(
            .misuse, "cannot read the settings \(quoted(file)): \(error)",
            suggestion: "state a JSON file with an object in --config", underlying: error)
        }
      }
      reader = ConfigReader(providers: providers)
    }

    func string(_ name: String) -> String? { reader.string(forKey: ConfigKey(name)) }

    func strings(_ name: String) -> [String]? {
      // A string of a list with one element need not be in an array.
      reader.stringArray(forKey: ConfigKey(name))
        ?? string(name)?.split(separator: ",").map(String.init)
    }

    func integer(_ name: String) throws -> Int? {
      try number(name, reader.int(forKey: ConfigKey(name))) { Int($0) }
    }

    func real(_ name: String) throws -> Double? {
      let integer = reader.int(forKey: ConfigKey(name)).map(Double.init)
      return try number(name, reader.double(forKey: ConfigKey(name)) ?? integer) { Double($0) }
    }

    func flag(_ name: String) throws -> Bool? {
      try number(name, reader.bool(forKey: ConfigKey(name))) { text in
        switch text.lowercased() {
        case "true", "yes", "1": true
        case "false", "no", "0": false
        default: nil
        }
      }
    }

    /// Returns a value, or converts the text of the setting, which options and the environment
    /// have.
    private func number<Value>(
      _ name: String, _ value: Value?, _ convert: (String) -> Value?
    ) throws -> Value? {
      if let value { return value }
      guard let text = string(name) else { return nil }
      guard let converted = convert(text) else {
        throw StorageError(
          .misuse, "cannot read the setting \(quoted(name)): the value \(quoted(text)) is invalid",
          suggestion: "correct the option, the environment variable or the file of settings")
      }
      return converted
    }

    /// The connection string of the PostgreSQL database with the data of the server, or `nil` if
    /// the data is in a folder.
    ///
    /// - Throws: ``StorageError/Code/misuse`` if a folder is stated too.
    func postgres() throws -> String? {
      guard let connection = string("postgres"), !connection.isEmpty else { return nil }
      guard string("data") ?? "" == "" else {
        throw StorageError(
          .misuse, "cannot find the data of the server: a folder and a database are stated",
          suggestion: """
            state either --data or --postgres: a PostgreSQL database contains the tokens too
            """)
      }
      return connection
    }

    /// The folder with the data of the server.
    ///
    /// - Throws: ``StorageError/Code/misuse`` if it is not stated.
    func folder() throws -> URL {
      guard let path = string("data"), !path.isEmpty else {
        throw StorageError(
          .misuse, "cannot find the data of the server: no folder is stated",
          suggestion:
            "state a folder with --data, such as --data ./sync-data, or a database with --postgres")
      }
      return URL(filePath: path)
    }
  }
#endif
