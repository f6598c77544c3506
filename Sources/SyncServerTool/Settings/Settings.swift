#if SyncServer
  import Configuration
  import UndercroftCore
  import UndercroftFoundation

  /// The settings of the tool, from its options, the environment and a file, in this order.
  struct Settings: Sendable {
    /// The sources in the order of precedence.
    private let sources: [any ConfigSnapshot]

    /// Reads the settings.
    ///
    /// - Parameters:
    ///   - arguments: the options of the command by the names of their settings, such as `.tlsKey`.
    ///   - data: the arguments that name the data.
    init(_ arguments: [(SettingName, String?)] = [], _ data: DataArguments) throws {
      var values: [AbsoluteConfigKey: ConfigValue] = [:]
      let all = arguments + [(.data, data.data), (.postgres, data.postgres)]
      for (name, value) in all {
        if let value {
          values[Self.key(name)] = ConfigValue(.string(value), isSecret: false)
        }
      }
      let environment = EnvironmentVariablesProvider().prefixKeys(with: "undercroft.sync")
      var sources: [any ConfigSnapshot] = [
        InMemoryProvider(name: "options", values: values).snapshot(), environment.snapshot(),
      ]
      if let file = data.config ?? ConfigReader(provider: environment).string(forKey: "config") {
        sources.append(try Self.snapshot(ofFile: file))
      }
      self.sources = sources
    }

    /// Reads a file with settings.
    private static func snapshot(ofFile file: String) throws(StorageError) -> SettingsSnapshot {
      let suggestion = "state a readable JSON file with an object in --config"
      let contents = try contents(of: file, "the settings", suggestion: suggestion)
      do {
        return try SettingsSnapshot(contents)
      } catch let fault as SettingsSnapshot.Fault {
        throw StorageError(
          .misuse,
          "cannot read the setting \(quoted(fault.name)) in \(quoted(file)): \(fault.reason)",
          suggestion: fault.suggestion)
      } catch {
        throw StorageError(
          .misuse, "cannot read the settings \(quoted(file)): \(reason(error))",
          suggestion: suggestion, underlying: error)
      }
    }

    /// Returns the reason why a file is no JSON, without the domain and code of the error.
    private static func reason(_ error: any Error) -> String {
      (error as? CocoaError)?.userInfo["NSDebugDescription"] as? String ?? "\(error)"
    }

    func string(_ name: SettingName) throws -> String? {
      try value(name, .string, "a string") { content in
        guard case .string(let text) = content else { return nil }
        return text
      }
    }

    func strings(_ name: SettingName) throws -> [String]? {
      try value(name, .stringArray, "a list of strings") { content in
        switch content {
        case .stringArray(let texts): texts
        // A string of a list with one element need not be in an array.
        case .string(let text): text.split(separator: ",").map(String.init)
        default: nil
        }
      }
    }

    func integer(_ name: SettingName) throws -> Int? {
      try value(name, .int, "a whole number") { content in
        switch content {
        case .int(let number): number
        case .string(let text): Int(text)
        default: nil
        }
      }
    }

    /// Returns a number of at least 0.
    func real(_ name: SettingName) throws -> Double? {
      try value(name, .double, "a number of at least 0") { content in
        let number: Double? =
          switch content {
          case .double(let number): number
          case .string(let text): Double(text)
          default: nil
          }
        guard let number, number >= 0, number.isFinite else { return nil }
        return number
      }
    }

    func flag(_ name: SettingName) throws -> Bool? {
      try value(name, .bool, "true or false") { content in
        switch content {
        case .bool(let isSet): return isSet
        case .string(let text):
          switch text.lowercased() {
          case "true", "yes", "1": return true
          case "false", "no", "0": return false
          default: return nil
          }
        default: return nil
        }
      }
    }

    /// Returns the value of the first source that has the setting.
    ///
    /// Options and the environment contain strings, which are converted. A reader of the library
    /// would return no value for one of another type, so that the server would use the default.
    ///
    /// - Parameters:
    ///   - type: the type of the value in a file.
    ///   - description: the type for the error.
    private func value<Value>(
      _ name: SettingName, _ type: ConfigType, _ description: String,
      _ convert: (ConfigContent) -> Value?
    ) throws -> Value? {
      let key = Self.key(name)
      for source in sources {
        let contents = [type, .string].map { type in
          Result { try source.value(forKey: key, type: type).value?.content }
        }
        let found = contents.compactMap { try? $0.get() }
        for content in found { if let value = convert(content) { return value } }
        if case .string(let text)? = found.last {
          throw Self.invalid(name, "the value \(quoted(text)) is invalid")
        }
        for case .failure in contents {
          throw Self.invalid(name, "the value is not \(description)")
        }
      }
      return nil
    }

    private static func key(_ name: SettingName) -> AbsoluteConfigKey {
      AbsoluteConfigKey(ConfigKey(name.rawValue))
    }

    private static func invalid(_ name: SettingName, _ reason: String) -> StorageError {
      StorageError(
        .misuse, "cannot read the setting \(quoted(name.rawValue)): \(reason)",
        suggestion: "correct the option, the environment variable or the file of settings")
    }
  }
#endif
