#if SyncHTTP && SyncServer
  import ArgumentParser
  import UndercroftCore
  import UndercroftSQLite
  import UndercroftSync

  /// The devices of a soak and their scopes.
  ///
  /// Each device has one scope. The numbers of devices of two scopes differ by at most one.
  struct SoakPlan: ParsableArguments {
    @Option(help: "The number of devices.") var devices = 50
    @Option(help: "The number of scopes.") var scopes = 20
    @Option(help: "The seed of the edits; by default a random number.")
    var seed: UInt64 = .random(in: .min ... .max)
    @Option(help: "The mean time in milliseconds between two synchronisations of a device.")
    var pause = 500

    /// The options with which another process has the same plan.
    var options: [String] {
      [
        "--devices", "\(devices)", "--scopes", "\(scopes)", "--seed", "\(seed)", "--pause",
        "\(pause)",
      ]
    }

    func validate() throws {
      guard (1...10_000).contains(devices), (1...devices).contains(scopes), pause >= 1 else {
        throw ValidationError("A soak needs devices, a scope for some of them, and a pause.")
      }
    }

    /// Returns the name of a device, which its files and its titles contain.
    func name(of device: Int) -> String { "device-\(device)" }

    func scope(of device: Int) -> ScopeIdentifier { scope(number: device % scopes) }

    func scope(number: Int) -> ScopeIdentifier { ScopeIdentifier("branch-\(number)") }

    /// Returns the devices that share a scope.
    func devices(of scope: Int) -> [Int] { Array(stride(from: scope, to: devices, by: scopes)) }

    func edits(of device: Int) -> SyncEdits {
      SyncEdits(
        seed: seed &+ UInt64(device) &* 0x9e37_79b9_7f4a_7c15, client: name(of: device))
    }

    func database(of device: Int, in place: SyncPlace) throws -> Database {
      // A database soon exceeds this cache, so memory does not grow with the database.
      let options = DatabaseOptions(durability: .processDeath, pageCacheByteCount: 128 << 10)
      return try place.database(of: name(of: device), options)
    }
  }
#endif
