"""Which room knows which program. Written by `make docs` from the rooms."""

ROOMS: dict[str, dict[str, str]] = {
    "PROGRAMS": {
        "builds.apps": """
            ant carthage dart flutter gradle gradlew gradlew.bat lein mill mvn mvnd mvnw pod pub
            sbt scala-cli swift tuist xcodebuild xcodegen xcrun xctest
        """,
        "builds.builders": """
            bazel bazelisk bmake buck2 cmake ctest duty gmake go-task grunt gulp inv invoke jake
            just mage make meson mingw32-make ninja nmake pants please poe premake5 rake remake
            samu scons task taskipy waf xmake
        """,
        "builds.compilers": """
            ar as c++ cc cl clang clang++ clang-check clang-cl clippy-driver cpp crystal csc
            dmcs dmd elixirc elm em++ emcc erlc fpc g++ gcc gdc gfortran ghc groovyc icc javac
            kotlinc ld ldc2 lld mcs nasm nim nvcc objcopy ocamlc ocamlopt ranlib rustc rustdoc
            scalac solc strip swiftc tcc v valac xcode-select yasm zig
        """,
        "builds.devices": """
            adb arduino-cli avrdude bossac dfu-util espefuse espefuse.py espsecure espsecure.py
            esptool esptool.py fastboot flash_erase flashcp i2cset idf.py jlink jlinkexe
            mtd_debug nandwrite nrfjprog openocd picotool pio platformio probe-rs pyocd st-flash
            st-info stm32flash teensy_loader_cli ubiformat west
        """,
        "builds.documents": """
            borg borgmatic circo clearml-data dbt dot doxygen dtc duplicity dvc etcdctl fdp hf
            huggingface-cli iverilog jupyter jupyter-lab jupyter-notebook kaggle kopia labelbox
            mlflow neato ollama pandoc plantuml restic sfdp twopi verilator voila wandb
        """,
        "builds.others": """
            aclocal asciidoctor autoconf autoheader automake autoreconf bear biber bibtex chktex
            compiledb conan cosign cross cscope csvlens ctags cython cythonize d2 dune
            flawfinder git-cliff gleam goreleaser gtags html2text htmlq javadoc javap jdeps jps
            k6 lacheck lake latexmk libtoolize makeindex marp mmdc nbqa nbstripout nimble opam
            papermill pdfseparate pdftk pdfunite pixi pkg-config pkgconf pup qpdf qsv rebar3
            shards spago symfony templ texcount tidy tinygo trunk typst vcpkg wasm-pack
            xmlstarlet xsltproc xsv
        """,
        "builds.runners": """
            air aws-vault babel-node cargo-watch chamber changeset chokidar conc concurrently
            copyfiles cpx cpy cross-env cross-env-shell direnv doppler dotenv dotenv-cli dotenvx
            entr env-cmd envchain esmo esno forever gh-pages husky infisical jiti lefthook
            lint-staged mkdirp ncp ncu nodemon np npm-check-updates npm-run-all npm-run-all2
            onchange op patch-package pm2 reflex release-it release-please run-p run-s
            semantic-release server-test shx simple-git-hooks standard-version
            start-server-and-test start-test summon swc-node teller ts-node ts-node-dev
            ts-node-esm ts-node-script tsnd tsx vite-node wait-on watchexec with-env zx
        """,
        "checkers.general": """
            actionlint alejandra ansible-lint astyle bashate behat brakeman buildifier cfn-lint
            checkbashisms checkmake checkov checkstyle clang-format clang-tidy clj-kondo cljfmt
            cloc cmake-format cmake-lint codecept conftest cppcheck cpplint crystal_format
            csharpier cucumber dartfmt deadcode deadnix deptrac detect-secrets detekt
            dhall-format dockle dotenv-linter ec ecs editorconfig-checker elm-format elm-review
            elm-test erb_lint errcheck fantomas fasterer fourmolu fprettify gci ginkgo gitleaks
            gitlint gocloc gofmt gofumpt goimports golangci-lint golines golint
            google-java-format gosec gotest gotests gotestsum govulncheck grype hadolint
            haml-lint hlint include-what-you-use indent ineffassign infection iwyu_tool jsonlint
            ktlint kube-linter kube-score kubeconform kubeval loc lua-format luacheck m minitest
            misspell nilaway nixfmt nixpkgs-fmt ocamlformat onefetch ormolu osv-scanner
            parallel-lint paratest periphery pest phan php-cs-fixer phpcbf phpcs phpmd phpstan
            phpunit pint pmd psalm pygount rails_best_practices rector reek revive richgo rspec
            rubocop rustfmt scalafix scalafmt scc selene shellcheck shfmt slim-lint sloccount
            snyk spotbugs sqlfluff sqruff srb standardrb staticcheck statix stylua swift-format
            swiftformat swiftlint syft taplo terraform-docs tflint tfsec tokei trivy trufflehog
            twigcs uncrustify yamllint zizmor zprint
        """,
        "checkers.javascript": """
            alex angular are-the-types-wrong astro attest attw ava axe babel biome buf
            build-storybook bundlesize codeceptjs codespell commitlint cspell cypress depcheck
            depcruise dependency-cruiser detox docusaurus dprint eleventy ember esbuild eslint
            eslint_d expo-cli fbjs flow gatsby glint graphql-codegen html-validate htmlhint
            ionic jasmine jest jscpd jscs jsdoc jshint karma knip lesshint lhci license-checker
            lighthouse madge manypkg markdownlint markdownlint-cli2 mdl microbundle mocha ncc
            nest next ng nightwatch nuxi nuxt openapi-generator openapi-generator-cli
            openapi-typescript orval oxlint pa11y parcel pkgroll playwright postcss prettier
            prettierd proselint protoc publint pug-lint puppeteer quasar quick-lint-js qunit
            qwik react-router react-scripts redocly remark remix rolldown rollup rome rspack
            sass-lint sb sherif size-limit snowpack solid-start spectral sqlc standard
            start-storybook storybook stylelint svelte-check svelte-kit swagger-cli swc syncpack
            tailwindcss tap testcafe textlint ts-prune ts-unused-exports tsc tsd tsdown tsgo
            tslint tsup typedoc typos unbuild unimported uvu vale vite vitepress vitest vue
            vue-cli-service vue-tsc wdio web-test-runner webpack webpack-cli write-good wtr xo
        """,
        "checkers.python": """
            add-trailing-comma autoflake autopep8 bandit basedpyright behave black black-primer
            blue cosmic-ray darker deptry dmypy docformatter docsify flake8 green hugo
            hypothesis interrogate isort jekyll locust mccabe mdbook mkdocs mutmut mypy
            nosetests pdoc pdoc3 pelican perflint pip-audit ptw pycodestyle pydoclint pydocstyle
            pyflakes pylint pyre pyright pyroma pytest-watch pytest-watcher pytype pyupgrade
            radon refurb reorder-python-imports robot ruff safety semgrep ssort stestr trial ty
            unittest usort vulture ward wemake xenon yapf zola zuban
        """,
        "checkers.special": """
            bench c8 coverage coverage3 hyperfine lage lerna lessc moon multitime nx nyc perf
            py.test pytest rush sass sphinx-build turbo
        """,
        "cloud.ansible": """
            age ansible ansible-config ansible-console ansible-doc ansible-galaxy
            ansible-inventory ansible-playbook ansible-pull ansible-vault bw gopass keybase
            kwallet-query lpass pass secret-tool sops
        """,
        "cloud.containers": """
            buildah crane dive docker docker-compose finch img kaniko ko lima nerdctl podman
            podman-compose skopeo
        """,
        "cloud.hosts": """
            amplify appwrite buildkite-agent cdk circleci convex datadog-ci eas eb expo fastlane
            firebase fly flyctl heroku neonctl netlify newrelic now ntl pscale railway render
            sam sentry-cli serverless sls sst stripe supabase surge travis turso twilio upstash
            vc vercel wrangler
        """,
        "cloud.kubernetes": """
            argocd ctlptl eksctl flux helm helmfile istioctl k k0s k3d k3s k9s kind kops
            kubecolor kubectl kubectx kubens kustomize linkerd microk8s.kubectl minikube oc
            skaffold stern talosctl tilt velero
        """,
        "cloud.services": """
            aliyun aws az azcopy b2 cf civo databricks doctl exo gcloud gsutil hcloud ibmcloud
            linode-cli mc oci openstack rclone s3cmd s5cmd scw snow snowsql tccli upctl
            vultr-cli yc
        """,
        "cloud.tools": """
            bao bb boundary consul gh glab hub jira lab linear nomad packer pulumi tea terraform
            terragrunt tofu vault waypoint
        """,
        "cloud.virtual_machines": """
            colima incus limactl lxc multipass orb vagrant vboxmanage virsh
        """,
        "databases.clients": """
            beeline bq clickhouse clickhouse-client cockroach cqlsh duckdb influx isql litecli
            mariadb mycli mysql osql pgcli presto psql sqlcmd sqlite sqlite3 trino usql
        """,
        "databases.migrations": """
            aerich alembic artisan atlas celery daphne dbmate diesel django-admin drizzle-kit
            fastapi flask flyway gunicorn hypercorn knex liquibase manage.py migrate mikro-orm
            prisma puma rackup rails sail sea-orm-cli sequelize sequelize-cli sqlx streamlit
            typeorm uvicorn
        """,
        "databases.stores": """
            createdb createuser dropdb dropuser initdb iredis keydb-cli mariadb-admin
            mariadb-dump mongo mongodump mongoexport mongoimport mongorestore mongosh mysqladmin
            mysqldump mysqlimport pg_basebackup pg_ctl pg_dump pg_dumpall pg_isready pg_restore
            pgbench redis-cli reindexdb vacuumdb valkey-cli
        """,
        "files.archives": """
            7z 7za 7zz bsdtar gtar jar lsar rar tar unar unrar unzip zcmp zdiff zip zipgrep
            zipinfo
        """,
        "files.awk_sed": """
            awk gawk goawk gsed mawk nawk original-awk rev sed tr
        """,
        "files.changes": """
            chattr chflags chgrp chmod chown cp cpio dcfldd dd del-cli ditto ed fallocate gchmod
            gcp gdd gln gmkdir gmv grm install lf link ln mkdir mkfifo mmv mv nnn patch pax pv
            ranger red rename rimraf rip rm rmdir setfacl shred srm sync touch trash trash-put
            truncate unlink wipe xattr
        """,
        "files.decoders": """
            base32 base58 base64 basenc brotli bunzip2 bzip2 compress gbase64 gpg gpg2 gunzip
            gzip lrzip lz4 lzip lzma lzop openssl pbzip2 pigz pixz plzip pzstd rzip uncompress
            unlz4 unlzma unpigz unxz unzstd uudecode uuencode xxd xz zstd zstdmt
        """,
        "files.listing": """
            basename broot cygpath df dir dirname du duf dust erd exa eza file getfacl ls lsattr
            lsd namei readlink realpath stat tre tree vdir wslpath
        """,
        "files.readers": """
            : [ acpi addr2line apropos arch ascii b2sum b3sum banner bat batcat break btop bzcat
            c++filt cal caller cat cksum clear cmp col colordiff colrm column comm continue
            cowsay cpuid crc32 csplit csvcut csvlook csvstat cut date delta diff diff3 difft
            dirs dmesg dos2unix echo errno exiftool exit expand expr factor false fc ffprobe
            figlet fmt fold free fuser getconf getent getopts glow gron groups gsort gzcat hd
            head help hexdump hexyl history hostid hostname hostnamectl htop icdiff iconv id
            identify inxi iostat jless join jot jq last lastlog ldd less lipo locale localectl
            locate logname lolcat look lsb_release lsblk lscpu lshw lslocks lsmod lsns lsof
            lspci lsusb lz4cat man md5 md5sum mdcat mdfind mdls mediainfo mktemp more most ncal
            netstat nl nm nproc numfmt nvidia-settings nvidia-smi objdump od otool paste pathchk
            pdfinfo pdftotext pgrep pidof pr print printenv printf ps pstree pwd readelf return
            say sdiff sensors seq sha1sum sha224sum sha256sum sha384sum sha512sum shasum shuf
            size sleep sort split sponge ss strings stty sum sw_vers system_profiler tac tail
            tee test timedatectl times tldr toilet tomlq tput true ts tsort tty type ul uname
            unexpand uniq units uptime users vm_stat vmstat w wait wc wdiff whatis whereis which
            who whoami xmllint xq xzcat yes yq zcat zless zstdcat
        """,
        "files.search": """
            ack ag bfs egrep fd fdfind fgrep find fzf gfind ggrep grep parallel pcre2grep
            pcregrep peco rg ripgrep sk zgrep
        """,
        "files.xargs": """
            gxargs xargs
        """,
        "git.program": """
            git
        """,
        "inline.editors": """
            bc convert dc emacs emacsclient ex ffplay gdb ghci gs gvim helix hx irb java javaw
            jdb joe kak kotlin latex lldb lualatex m4 magick mg micro mono mvim mysqlsh nano ne
            nvim nvimdiff pdb pdflatex pico pry puppet rvim sqlplus sudoedit vi view vim vimdiff
            vimx wine wish xelatex
        """,
        "inline.languages": """
            clojure elixir erl fennel gnuplot groovy guile iex io janet jshell julia lua luajit
            maxima node nodejs ocaml octave perl perl5 php qjs quickjs r racket raku rscript
            ruby runghc sbcl scala swipl tclsh
        """,
        "inline.python": """
            bpython ipython py pypy pypy3 python python2 python3 python3.10 python3.11
            python3.12 python3.13 python3.14 python3.8 python3.9
        """,
        "machine.administration": """
            1password-cli aa-complain aa-disable aa-teardown addgroup adduser anacron
            apparmor_parser arp asr auditctl authconfig badblocks blkdiscard blkid bputil brctl
            brew-services btrfs busctl certmgr cfdisk cgminer chage chfn chkconfig chntpw
            chpasswd chsh clamd cpuminer crontab cryptsetup csrutil debugfs delgroup deluser
            depmod diskutil dmsetup dracut dscl dseditgroup e2fsck e2label ebtables efibootmgr
            ethminer ethtool fail2ban-client fdesetup fdisk findmnt firewall-cmd flashrom
            fork-bomb freshclam fsck fstrim fwupdmgr gdisk gnome-keyring gpart gparted gpasswd
            groupadd groupdel groupmod grub-install grub-mkconfig halt hashcat hashdump hdiutil
            hdparm ifconfig incrontab init initctl insmod insserv ip ip6tables ipset iptables
            iptables-restore iptables-save iw iwconfig john journalctl keepassxc-cli kexec
            kextload kextunload keyctl kill killall killall5 kmod launchctl lazagne log logger
            loginctl logrotate losetup lvcreate lvextend lvm lvreduce lvremove lvs machinectl
            mdadm mesg mimikatz minerd mkcert mkdosfs mke2fs mkfs mkfs.btrfs mkfs.exfat
            mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.f2fs mkfs.fat mkfs.ntfs mkfs.vfat mkfs.xfs
            mkinitramfs mkswap modprobe mokutil mount mountpoint networkctl networksetup newfs
            newfs_apfs newusers nft nmcli nvme nvram nwipe pam-auth-update parted partprobe
            passwd pfctl photorec pkill pm-suspend poweroff profiles pvcreate pvremove pvs
            pwconv pwpolicy rc-service rc-update reboot renice resize2fs rfkill rmmod route
            s6-rc scrub scutil secretsdump security semanage service setcap setenforce setsebool
            sfdisk sg_format sgdisk shutdown skill smartctl snapper spctl stress stress-ng
            supervisorctl sv swapoff swapon sysadminctl sysctl syslog systemctl systemd-tmpfiles
            systemsetup tc tccutil telinit testdisk timeshift tmutil trust tune2fs ufw umount
            unshadow update-ca-certificates update-ca-trust update-crypto-policies update-grub
            update-initramfs update-rc.d useradd userdel usermod vgcreate vgremove vgs vigr vipw
            visudo wall wipefs wpa_cli write xfs_admin xfs_repair xkill xmrig xprotect zfs zpool
        """,
        "machine.desktop": """
            aa-status aider alternatives amp antigravity anydesk arecord at-spi atom automator
            aws-azure-login brave brave-browser chrome chromium chromium-browser claude code
            codex copilot crush cursor cursor-agent dconf debconf-set-selections defaults
            docker-credential-desktop dpkg-reconfigure droid faillog ffmpeg firefox fswebcam
            gcloud-auth gemini getcap getenforce gio gnome-screenshot google-chrome
            google-chrome-stable goose gsettings gvfs-open htpasswd idea imagesnap kde-open
            kinit klist kwriteconfig5 lastb ldconfig llm locale-gen lscgroup mas microsoft-edge
            msedge notify-send open opencode opera osascript pbpaste plistbuddy plutil prctl
            pycharm qwen rec safari saml2aws screencapture scrot sensible-browser sestatus
            setxkbmap sgpt shortcuts softwareupdate sox subl tabwire teamviewer
            update-alternatives vivaldi vncserver webstorm windsurf wmctrl wslview www-browser
            x-www-browser x11vnc xdg-mime xdg-open xdg-settings xdotool xhost xinput xmodmap
            xrdp xset ydotool zed
        """,
        "network.ssh": """
            autossh lsyncd plink pscp rcp rsync scp sftp slogin ssh ssh-add ssh-copy-id
            ssh-keygen ssh-keyscan sshpass unison
        """,
        "network.transfers": """
            aria2c arping axel bore chisel clip cloudflared croc cryptcat curl curlie dig drill
            elinks ettercap fping frpc ftp gdrive host http httpie https hydra irssi kdig lftp
            links localtunnel lt lynx magic-wormhole mail mailx masscan mitmdump mitmproxy mosh
            msfconsole msmtp mtr mutt nc ncat ncftp netcat ngrok nikto nmap nslookup onionshare
            openvpn pbcopy ping ping6 pwncat resolvectl responder rlogin rsend rsh sendmail
            serveo slack smbclient socat sqlmap ssmtp swaks tailscale tcpdump telnet termbin
            tftp tracepath traceroute transfer tshark w3m websocat wg-quick wget wget2 whois
            wireshark wl-copy wormhole wscat xclip xh xhs xsel youtube-dl yt-dlp
        """,
        "packages.bun": """
            bun deno
        """,
        "packages.conda": """
            conda flit mamba maturin micromamba pyproject-build setuptools-scm twine
        """,
        "packages.dotnet": """
            dotnet nuget
        """,
        "packages.environments": """
            nox pre-commit prek tox virtualenv
        """,
        "packages.go": """
            go
        """,
        "packages.languages": """
            bundle bundler cabal cargo composer gem mix rustup stack
        """,
        "packages.npm": """
            bunx corepack dlx npm npx pn pnpm pnpx yarn yarnpkg
        """,
        "packages.python": """
            hatch pdm pip pip2 pip3 pipenv pipx poetry rye uv uvx
        """,
        "packages.system": """
            add-apt-repository apk apt apt-add-repository apt-cache apt-file apt-get apt-key
            apt-mark aptitude asdf brew chruby dnf dpkg dpkg-deb dpkg-query emerge eopkg flatpak
            fnm fvm ghcup goenv home-manager jabba jenv microdnf mise n nix nix-build
            nix-channel nix-collect-garbage nix-env nix-instantiate nix-shell nix-store
            nixos-rebuild nodebrew nodenv nvm pacman paru pkg pkg_add port proto pyenv rbenv rpm
            rtx rvm sdk snap swiftly tfenv volta xbps-install yay yum zypper
        """,
        "shell.builtins": """
            . abbr alias autoload bg bind builtin cd chdir command compgen complete declare
            disown enable eval exec export fg hash jobs let local mapfile popd pushd read
            readarray readonly set setopt shift shopt source suspend trap typeset ulimit umask
            unalias unset unsetopt z zmodload
        """,
        "shell.scripts": """
            ash bash csh dash elvish fish git-bash hush ksh ksh93 lksh mksh nu oil oksh osh
            pdksh rbash sh tcsh xonsh yash zsh
        """,
        "shell.wrappers": """
            abduco alacritty at batch busybox bwrap byobu caffeinate capsh choom chronic chroot
            chrt coreutils cpulimit daemonize dbus-launch doas dtach dzdo eatmydata env expect
            fakeroot faketime firejail flock fswatch genv gnome-terminal gnubin gosu gtime
            gtimeout inotifywait ionice kitty konsole linux32 linux64 ltrace lxc-attach newgrp
            nice nocorrect noglob nohup nsenter numactl pkexec prlimit proot proxychains
            proxychains4 run0 runcon runuser schroot screen script scriptreplay setpriv setsid
            sg ssh-agent start-stop-daemon stdbuf strace su su-exec sudo systemd-nspawn
            systemd-run taskset time timeout tmux torsocks toybox tsocks unbuffer unshare
            valgrind viddy watch winpty xterm xvfb-run zellij
        """,
        "windows.execution": """
            appvlp atbroker bginfo bitsadmin calc certutil choco chocolatey cinst cmd cmstp
            conhost control cscript csi cup desktopimgdownldr devenv devmgmt.msc dism dnx doskey
            elevate esentutl eventvwr explorer extexport extrac32 finger forfiles gpscript gsudo
            hh ie4uinit ieexec iexplore ilasm infdefaultinstall installutil jsc makecab
            mavinject mmc msbuild msconfig msdt mshta msiexec mspaint msxsl nircmd notepad
            ntdsutil odbcconf osk pcalua perfmon pnputil powershell powershell_ise
            presentationhost procdump psexec psexec64 pwsh pwsh-preview rcsi regasm regedit
            regedt32 register-cimprovider regsvcs regsvr32 resmon runas rundll32 scoop
            scriptrunner services.msc sfc signtool snippingtool syncappvpublishingserver taskmgr
            tttracer vbc vstest.console wfc winget winrs wscript wsl wt wuauclt wusa xwizard
        """,
        "windows.files": """
            attrib cacls chkdsk cipher compact defrag diskpart diskraid diskshadow findstr
            format fsutil icacls label manage-bde mountvol recover replace robocopy setx
            subinacl subst takeown where xcacls xcopy
        """,
        "windows.system": """
            auditpol bcdboot bcdedit bootrec bootsect cmdkey comp csvde dnscmd driverquery dsadd
            dsmod getmac gpresult gpupdate ipconfig ktpass ldifde lodctr logman logoff mpcmdrun
            msinfo32 nbtstat net net1 netsh nltest openfiles pathping powercfg query quser
            qwinsta reagentc reg rstrui sc schtasks secedit setspn slmgr systeminfo taskkill
            tasklist tracert tsdiscon tskill typeperf unlodctr vaultcmd vssadmin w32tm wbadmin
            wevtutil winver wmic
        """,
    },
    "CMDLETS": {
        "cmdlets.archives": """
            compress-archive expand-archive
        """,
        "cmdlets.display": """
            % ? add-history add-member clear clear-history clear-host clear-variable clhy cls
            clv compare-object convert-string convertfrom-base64 convertfrom-csv
            convertfrom-json convertfrom-markdown convertfrom-securestring convertfrom-string
            convertfrom-stringdata convertfrom-yaml convertto-csv convertto-html convertto-json
            convertto-securestring convertto-xml convertto-yaml diff echo epal exit export-alias
            export-pfxcertificate fc find-module find-package find-script fl foreach
            foreach-object format-custom format-list format-table format-wide ft fw gal gcb gcim
            gcm gcs gdr get-acl get-adreplaccount get-alias get-appxpackage get-azkeyvaultsecret
            get-bitlockervolume get-cimclass get-ciminstance get-clipboard get-command
            get-computerinfo get-counter get-credential get-culture get-date get-disk
            get-dnsclientcache get-dnsclientserveraddress get-error get-event get-eventlog
            get-executionpolicy get-formatdata get-help get-history get-host get-hotfix
            get-installedmodule get-itemproperty get-itempropertyvalue get-job get-localgroup
            get-localgroupmember get-localuser get-markdownoption get-member get-module
            get-mpcomputerstatus get-mppreference get-netadapter get-netfirewallprofile
            get-netfirewallrule get-netipaddress get-netipconfiguration get-netneighbor
            get-netroute get-nettcpconnection get-package get-packageprovider get-partition
            get-physicaldisk get-pnpdevice get-printer get-process get-psbreakpoint
            get-pscallstack get-psdrive get-psprovider get-psreadlinekeyhandler
            get-psreadlineoption get-psrepository get-pssession get-random get-runspace
            get-scheduledtask get-scheduledtaskinfo get-scriptanalyzerrule get-secret
            get-secretinfo get-service get-storedcredential get-timezone get-tracesource
            get-typedata get-uiculture get-unique get-uptime get-variable get-vaultcredential
            get-verb get-volume get-windowsfeature get-windowsoptionalfeature get-winevent
            get-wmiobject ghy gjb gm gmo gp gps gpv group group-object gsn gsv gu gv gwmi h help
            history import-alias invoke-pester invoke-scriptanalyzer ipal join-string man
            measure measure-command measure-object nal new-alias new-guid new-temporaryfile
            new-timespan new-variable nv ogv oh oss out-default out-gridview out-host out-null
            out-string pause ps rcjb read-host receive-job register-argumentcompleter
            remove-alias remove-job remove-module remove-typedata remove-variable rjb rmo rv sal
            save-help scb select select-object set set-alias set-clipboard set-culture set-date
            set-psdebug set-psreadlinekeyhandler set-psreadlineoption set-strictmode
            set-timezone set-variable show-markdown sleep sort sort-object spjb split-path
            start-sleep stop-job stop-transcript sv tee-output test-connection
            test-modulemanifest test-path test-scriptfileinfo unprotect-cmsmessage
            update-formatdata update-help update-typedata wait-event wait-job wait-process where
            where-object wjb write write-debug write-error write-host write-information
            write-output write-progress write-verbose write-warning
        """,
        "cmdlets.execution": """
            add-appxpackage add-type add-windowscapability debug-job debug-process
            debug-runspace disable-windowsoptionalfeature enable-windowsoptionalfeature
            get-windowsupdate icm iex ihy ii import-module import-packageprovider
            import-pssession inmo install-module install-package install-packageprovider
            install-psresource install-script install-windowsfeature install-windowsupdate
            invoke-build invoke-command invoke-expression invoke-history invoke-item
            invoke-psake ipmo ipsn new-event new-module new-modulemanifest new-object nmo r
            register-engineevent register-objectevent register-packagesource
            register-psrepository remove-appxpackage sajb saps save-module save-package
            save-psresource save-script set-packagesource set-psrepository show-command start
            start-job start-process start-threadjob start-webserver trace-command unblock-file
            uninstall-module uninstall-package uninstall-psresource uninstall-script
            uninstall-windowsfeature unregister-psrepository update-module update-modulemanifest
            update-psresource update-script use-module wait-debugger
        """,
        "cmdlets.files": """
            ac add-content cat clc clear-content clear-item clear-itemproperty cli copy
            copy-item copy-itemproperty cp cpi del dir epcsv erase export-clixml export-csv
            export-formatdata fhx format-hex gc gci get-authenticodesignature get-childitem
            get-content get-filehash get-item gi import-clixml import-csv
            import-powershelldatafile ipcsv ls md mi mkdir move move-item move-itemproperty mv
            new-item new-itemproperty ni out-file rd remove-item remove-itemproperty ren
            rename-item rename-itemproperty ri rm rmdir rni rp select-string select-xml
            set-content set-item set-itemproperty si sls sp start-transcript tee tee-object type
        """,
        "cmdlets.locations": """
            cd chdir convert-path cvpa get-location gl join-path pop-location popd push-location
            pushd pwd resolve-path rvpa set-location sl
        """,
        "cmdlets.network": """
            cnsn connect-azaccount connect-mggraph connect-pssession connect-wsman
            disconnect-pssession enter-pssession etsn exit-pssession exsn invoke-restmethod
            invoke-webrequest irm iwr ndr new-cimsession new-psdrive new-pssession
            new-smbmapping nsn publish-module publish-script rdr remove-psdrive remove-pssession
            remove-smbmapping resolve-dnsname rsn send-mailmessage start-bitstransfer
            test-netconnection tnc
        """,
        "cmdlets.system": """
            add-adgroupmember add-computer add-dnsclientnrptrule add-jobtrigger
            add-localgroupmember add-mppreference add-printer add-vpnconnection
            checkpoint-computer clear-disk clear-dnsclientcache clear-eventlog clear-recyclebin
            clear-storagediagnosticinfo clear-tpm disable-adaccount disable-bitlocker
            disable-computerrestore disable-localuser disable-netadapter disable-netfirewallrule
            disable-pnpdevice disable-scheduledtask disable-tpmautoprovisioning
            disable-windowserrorreporting dismount-diskimage enable-adaccount enable-bitlocker
            enable-localuser enable-netadapter enable-netfirewallrule enable-psremoting
            enable-scheduledtask enable-wsmancredssp format-volume get-pssessionconfiguration
            gpupdate grant-smbshareaccess icim import-certificate import-pfxcertificate
            initialize-disk invoke-cimmethod invoke-gpupdate invoke-wmimethod invoke-wsmanaction
            iwmi kill limit-eventlog lock-bitlocker mount-diskimage ncim new-aduser
            new-ciminstance new-eventlog new-jobtrigger new-localgroup new-localuser
            new-netfirewallrule new-netipaddress new-netnat new-netroute new-partition
            new-scheduledtask new-scheduledtaskaction new-scheduledtaskprincipal
            new-scheduledtasksettingsset new-scheduledtasktrigger new-selfsignedcertificate
            new-service new-smbshare new-vm new-volume new-winevent new-wsmaninstance
            optimize-volume rcim register-cimindicationevent register-pssessionconfiguration
            register-scheduledjob register-scheduledtask register-wmievent remove-adgroupmember
            remove-adobject remove-aduser remove-bitlockerkeyprotector remove-ciminstance
            remove-computer remove-computerrestorepoint remove-eventlog remove-localgroup
            remove-localgroupmember remove-localuser remove-mppreference remove-mpthreat
            remove-netfirewallrule remove-netipaddress remove-netroute remove-partition
            remove-physicaldisk remove-printer remove-service remove-storagepool
            remove-virtualdisk remove-vm remove-vmharddiskdrive remove-vmsnapshot
            remove-wmiobject remove-wsmaninstance rename-computer rename-localuser repair-volume
            reset-computermachinepassword reset-physicaldisk resize-partition restart-computer
            restart-netadapter restart-service restart-vm restore-computer resume-service rwmi
            sasv scim set-acl set-adaccountpassword set-adgroup set-aduser set-applockerpolicy
            set-authenticodesignature set-ciminstance set-disk set-displayresolution
            set-dnsclient set-dnsclientserveraddress set-executionpolicy set-localuser
            set-mppreference set-netadapter set-netconnectionprofile set-netfirewallprofile
            set-netfirewallrule set-netfirewallsetting set-netipaddress set-netipinterface
            set-netroute set-partition set-printer set-processmitigation
            set-pssessionconfiguration set-scheduledjob set-scheduledtask set-securebootuefi
            set-service set-smbserverconfiguration set-volume set-winuserlanguagelist
            set-wmiinstance set-wsmaninstance set-wsmanquickconfig spps spsv start-mpscan
            start-scheduledtask start-service start-vm stop-computer stop-process
            stop-scheduledtask stop-service stop-vm suspend-bitlocker suspend-service swmi
            unlock-adaccount unregister-scheduledjob unregister-scheduledtask update-mpsignature
            write-eventlog write-volumecache
        """,
        "windows.files": """
            change convert expand find mode print reset
        """,
        "windows.system": """
            sc
        """,
    },
    "CMD": {
        "windows.execution": """
            start
        """,
        "windows.files": """
            a: assoc b: break c: cd change chcp chdir choice cls color convert copy d: date del
            dir e: echo endlocal erase exit expand f: fc find ftype g: goto h: help i: j: k: l:
            m: md mkdir mklink mode more move n: o: p: path pause popd print prompt pushd q: r:
            rd rem ren rename reset rmdir s: set setlocal shift sort t: time timeout title tree
            type u: v: ver verify vol w: where write x: y: z:
        """,
    },
}
"""By table and room, the names."""
